/** `data` of the most used endpoints of TikTok and Douyin, which have one format. */
import {
  address,
  anything,
  count,
  flag,
  items,
  maybe,
  open,
  record,
  records,
  text,
} from '../../catalog/vocabulary/returns.ts'
import type { TSchema } from '../../lib/schema.ts'

const many = (unit: string) => maybe(anything(`The number of ${unit}.`))
const status = maybe(anything("The platform's code of the answer. 0 is success."))
const more = {
  has_more: maybe(anything('Whether a further page exists: true or 1.')),
  max_cursor: maybe(anything('The value of max_cursor for the next page.')),
  min_cursor: maybe(anything('The position of this page.')),
  cursor: maybe(anything('The position of the next page.')),
}

const counts = maybe(
  record('The counts of the video.', {
    play_count: many('plays'),
    digg_count: many('likes'),
    comment_count: many('comments'),
    share_count: many('shares'),
    collect_count: many('people that saved the video'),
    download_count: many('downloads'),
  }),
)
const account = {
  uid: maybe(text('The id of the account.')),
  sec_uid: maybe(text('The id for parameters named sec_user_id.')),
  unique_id: maybe(text('The handle without @.')),
  nickname: maybe(text('The name of the account.')),
  signature: maybe(text('The text of the profile.')),
  follower_count: many('followers'),
  following_count: many('followed accounts'),
  aweme_count: many('videos'),
  total_favorited: many('likes of all videos'),
  avatar_thumb: maybe(open('The photo.')),
}
const video = {
  aweme_id: maybe(text('The id of the video.')),
  desc: maybe(text('The text of the video.')),
  create_time: maybe(count('When the video was published, since 1970.', 'seconds')),
  author: maybe(record('The author.', account)),
  statistics: counts,
  video: maybe(open('The files of the video. Links expire.')),
  music: maybe(open('The music.')),
  share_url: maybe(address('The URL of the video.')),
  text_extra: maybe(items('Hashtags and mentions in the text.', anything('A part.'))),
  is_top: maybe(anything('Whether the video is pinned to the profile.')),
}
const oneVideo = record('The video.', {
  status_code: status,
  aweme_detail: maybe(record('The video.', video)),
  aweme_details: maybe(records('The video, in a list of one.', video)),
})
const videos = record('A page.', {
  status_code: status,
  aweme_list: maybe(records('The videos, latest first.', video)),
  ...more,
})
const profile = record('The account.', {
  status_code: status,
  user: maybe(record('The account.', account)),
})
const comments = record('A page.', {
  status_code: status,
  comments: maybe(
    records('The comments.', {
      cid: maybe(text('The id of the comment.')),
      text: maybe(text('The text of the comment.')),
      create_time: maybe(count('When the comment was written, since 1970.', 'seconds')),
      digg_count: many('likes'),
      reply_comment_total: many('replies'),
      user: maybe(record('The author.', account)),
    }),
  ),
  total: many('comments'),
  ...more,
})

export const tiktokAndDouyin: Readonly<Record<string, TSchema>> = {
  'tiktok/app/v3/fetch_one_video': oneVideo,
  'tiktok/app/v3/fetch_user_post_videos': videos,
  'tiktok/app/v3/fetch_video_comments': comments,
  'tiktok/app/v3/handler_user_profile': profile,
  'tiktok/web/fetch_user_profile': record('The account.', {
    statusCode: status,
    userInfo: maybe(
      record('The account.', {
        user: maybe(
          record('The account.', {
            id: maybe(text('The id of the account.')),
            secUid: maybe(text('The id for parameters named secUid.')),
            uniqueId: maybe(text('The handle without @.')),
            nickname: maybe(text('The name of the account.')),
            signature: maybe(text('The text of the profile.')),
            verified: maybe(flag('Whether the account is verified.')),
            privateAccount: maybe(flag('Whether the account is private.')),
            bioLink: maybe(open('The link in the profile.')),
            avatarLarger: maybe(address('The photo. The link expires.')),
          }),
        ),
        stats: maybe(
          record('The counts of the account.', {
            followerCount: many('followers'),
            followingCount: many('followed accounts'),
            heartCount: many('likes of all videos'),
            videoCount: many('videos'),
          }),
        ),
      }),
    ),
  }),
  'tiktok/web/fetch_user_post': record('A page.', {
    statusCode: status,
    itemList: maybe(items('The videos, latest first.', open('A video.'))),
    cursor: more.cursor,
    hasMore: maybe(anything('Whether a further page exists.')),
  }),
  'douyin/app/v3/fetch_one_video': oneVideo,
  'douyin/app/v3/fetch_user_post_videos': videos,
  'douyin/app/v3/handler_user_profile': profile,
  'douyin/web/fetch_one_video': oneVideo,
  'douyin/web/fetch_user_post_videos': videos,
  'douyin/web/handler_user_profile': profile,
}
