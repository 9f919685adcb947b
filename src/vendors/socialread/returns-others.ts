/** `data` of the most used endpoints of the platforms other than TikTok and Douyin. */
import {
  address,
  anything,
  flag,
  items,
  maybe,
  open,
  record,
  text,
  time,
} from '../../catalog/vocabulary/returns.ts'
import type { TSchema } from '../../lib/schema.ts'

const many = (unit: string) => maybe(anything(`The number of ${unit}.`))
const rows = (description: string) => maybe(items(description, anything('A row.')))
const cursor = maybe(anything('The position of the next page.'))

const instagramUser = record('The account.', {
  id: maybe(anything('The id of the account.')),
  username: maybe(text('The handle without @.')),
  full_name: maybe(text('The name of the account.')),
  biography: maybe(text('The text of the profile.')),
  external_url: maybe(text('The link in the profile.')),
  is_private: maybe(flag('Whether the account is private.')),
  is_verified: maybe(flag('Whether the account is verified.')),
  profile_pic_url: maybe(address('The photo. The link expires.')),
  follower_count: many('followers'),
  following_count: many('followed accounts'),
  media_count: many('posts'),
})
const page = (description: string) =>
  record('A page.', {
    items: rows(description),
    count: many('rows on this page'),
    pagination_token: cursor,
    user: maybe(open('The account.')),
  })
const tweets = record('A page.', {
  timeline: rows('The posts, with text, counts and author.'),
  next_cursor: cursor,
  prev_cursor: maybe(anything('The position of the previous page.')),
  user: maybe(open('The account.')),
  pinned: maybe(anything('The post that is pinned to the profile.')),
})
const channelVideos = record('A page.', {
  videos: rows('The videos, with id, title, length and views.'),
  continuation_token: cursor,
})

export const otherPlatforms: Readonly<Record<string, TSchema>> = {
  'instagram/v2/fetch_user_info': instagramUser,
  'instagram/v2/fetch_user_posts': page('The posts, latest first.'),
  'instagram/v2/fetch_user_reels': page('The reels, latest first.'),
  'instagram/v2/fetch_post_comments': page('The comments.'),
  'instagram/v2/fetch_user_followers': page('The followers.'),
  'twitter/web/fetch_user_profile': record('The account.', {
    rest_id: maybe(text('The id of the account.')),
    profile: maybe(text('The handle without @.')),
    name: maybe(text('The name of the account.')),
    desc: maybe(text('The text of the profile.')),
    location: maybe(text('The place in the profile.')),
    website: maybe(text('The link in the profile.')),
    avatar: maybe(address('The photo.')),
    friends: many('followed accounts'),
    sub_count: many('followers'),
    statuses_count: many('posts'),
    blue_verified: maybe(flag('Whether the account pays X.')),
    created_at: maybe(time('When the account was created.')),
    status: maybe(text('The state of the account, such as "active".')),
  }),
  'twitter/web/fetch_user_post_tweet': tweets,
  'twitter/web/fetch_search_timeline': tweets,
  'twitter/web/fetch_tweet_detail': record('The post.', {
    id: maybe(text('The id of the post.')),
    text: maybe(text('The text of the post.')),
    lang: maybe(text('The language of the post.')),
    created_at: maybe(time('When the post was written.')),
    likes: many('likes'),
    retweets: many('reposts'),
    replies: many('replies'),
    quotes: many('quotes'),
    bookmarks: many('bookmarks'),
    views: many('views'),
    author: maybe(open('The author.')),
    media: maybe(anything('The images and videos.')),
    conversation_id: maybe(text('The first post of the thread.')),
  }),
  'youtube/web/get_channel_info': record('The channel.', {
    channel_id: maybe(text('The id of the channel.')),
    title: maybe(text('The name of the channel.')),
    description: maybe(text('The text of the channel.')),
    subscriber_count: many('subscribers'),
    video_count: many('videos'),
    view_count: many('views'),
    country: maybe(text('The country of the channel.')),
    creation_date: maybe(time('When the channel was created.')),
    avatar: maybe(anything('The image of the channel.')),
  }),
  'youtube/web/get_channel_short_videos': channelVideos,
  'linkedin/web_v2/get_user_profile': open('The person, with name, headline, place and counts.'),
  'linkedin/web_v2/get_company_profile': open(
    'The company, with name, industry, size and website.',
  ),
  'reddit/app/fetch_user_profile': open('The account, in the format of Reddit.'),
  'reddit/app/fetch_subreddit_feed': open('A page of posts, in the format of Reddit.'),
  'threads/web/fetch_user_info': open('The account, in the format of Threads.'),
  'threads/web/fetch_user_posts': open('A page of posts, in the format of Threads.'),
  'xiaohongshu/app_v2/get_user_info': open('The account, in the format of Xiaohongshu.'),
  'weibo/web_v2/fetch_user_info': open('The account, in the format of Weibo.'),
  'weibo/web_v2/fetch_user_posts': open('A page of posts, in the format of Weibo.'),
  'bilibili/web/fetch_one_video': open('The video, in the format of Bilibili.'),
  'bilibili/web/fetch_user_profile': open('The account, in the format of Bilibili.'),
}
