import type { Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  [
    'linkedin-profile-posts',
    '0.15¢ per result, at least 1¢, rounded up to whole cents',
    'targetUrls! maxItems!',
  ],
  [
    'linkedin-company-posts',
    '0.15¢ per result, at least 1¢, rounded up to whole cents',
    'targetUrls! maxItems!',
  ],
  [
    'linkedin-jobs',
    '0.12¢ per result, at least 1¢, rounded up to whole cents',
    'jobTitles! maxItems!',
  ],
  [
    'linkedin-profile-search',
    '0.8¢ per result, at least 1¢, rounded up to whole cents',
    'searchQuery! maxItems!',
  ],
  [
    'linkedin-post-search',
    '0.2¢ per result, at least 1¢, rounded up to whole cents',
    'searchQueries! maxItems!',
  ],
  [
    'linkedin-user-posts',
    '0.5¢ per result, at least 1¢, rounded up to whole cents',
    'username! maxItems!',
  ],
  [
    'linkedin-profile',
    '1¢ per result, at least 1¢, rounded up to whole cents',
    'profileUrls! maxItems!',
  ],
  [
    'x-search',
    '0.04¢ per result, at least 1¢, rounded up to whole cents',
    'searchTerms! maxItems!',
  ],
  [
    'x-followers',
    '0.015¢ per result, at least 1¢, rounded up to whole cents',
    'user_names! maxItems!',
  ],
  ['reddit', '0.5¢ per result, at least 1¢, rounded up to whole cents', 'startUrls! maxItems!'],
  [
    'reddit-search',
    '0.5¢ per result, at least 1¢, rounded up to whole cents',
    'searches! maxItems!',
  ],
  [
    'reddit-comments',
    '0.3¢ per result, at least 1¢, rounded up to whole cents',
    'postUrls! maxItems!',
  ],
  [
    'instagram-profiles',
    '0.16¢ per result, at least 1¢, rounded up to whole cents',
    'usernames! maxItems!',
  ],
  [
    'instagram-posts',
    '0.23¢ per result, at least 1¢, rounded up to whole cents',
    'username! maxItems!',
  ],
  [
    'instagram-hashtag',
    '0.26¢ per result, at least 1¢, rounded up to whole cents',
    'hashtags! maxItems!',
  ],
  [
    'instagram-comments',
    '0.23¢ per result, at least 1¢, rounded up to whole cents',
    'postUrls! maxItems!',
  ],
  [
    'tiktok-hashtag',
    '0.4¢ per result, at least 1¢, rounded up to whole cents',
    'hashtags! maxItems!',
  ],
  [
    'tiktok-search',
    '0.04¢ per result, at least 1¢, rounded up to whole cents',
    'keywords! maxItems!',
  ],
  [
    'tiktok-videos',
    '0.4¢ per result, at least 1¢, rounded up to whole cents',
    'postURLs! maxItems!',
  ],
  [
    'tiktok-comments',
    '0.1¢ per result, at least 1¢, rounded up to whole cents',
    'postURLs! maxItems!',
  ],
  [
    'tiktok-profile',
    '0.04¢ per result, at least 1¢, rounded up to whole cents',
    'usernames! maxItems!',
  ],
  [
    'google-maps',
    '0.4¢ per result, at least 1¢, rounded up to whole cents',
    'searchStringsArray! maxItems!',
  ],
  [
    'google-maps-reviews',
    '0.06¢ per result, at least 1¢, rounded up to whole cents',
    'startUrls! maxItems!',
  ],
  ['youtube', '0.24¢ per result, at least 1¢, rounded up to whole cents', 'startUrls! maxItems!'],
  [
    'youtube-search',
    '0.24¢ per result, at least 1¢, rounded up to whole cents',
    'searchQueries! maxItems!',
  ],
  [
    'facebook-posts',
    '0.5¢ per result, at least 1¢, rounded up to whole cents',
    'startUrls! maxItems!',
  ],
  [
    'facebook-comments',
    '0.15¢ per result, at least 1¢, rounded up to whole cents',
    'startUrls! maxItems!',
  ],
]

export const limits: readonly Limit[] = [
  ['linkedin-profile-posts', 'maxItems', 1, 1000],
  ['linkedin-company-posts', 'maxItems', 1, 1000],
  ['linkedin-jobs', 'maxItems', 1, 1000],
  ['linkedin-profile-search', 'maxItems', 1, 1000],
  ['linkedin-post-search', 'maxItems', 1, 1000],
  ['linkedin-user-posts', 'maxItems', 1, 1000],
  ['linkedin-profile', 'maxItems', 1, 1000],
  ['x-search', 'maxItems', 1, 1000],
  ['x-followers', 'maxItems', 1, 1000],
  ['reddit', 'maxItems', 1, 1000],
  ['reddit-search', 'maxItems', 1, 1000],
  ['reddit-comments', 'maxItems', 1, 1000],
  ['instagram-profiles', 'maxItems', 1, 1000],
  ['instagram-posts', 'maxItems', 1, 1000],
  ['instagram-hashtag', 'maxItems', 1, 1000],
  ['instagram-comments', 'maxItems', 1, 1000],
  ['tiktok-hashtag', 'maxItems', 1, 1000],
  ['tiktok-search', 'maxItems', 1, 1000],
  ['tiktok-videos', 'maxItems', 1, 1000],
  ['tiktok-comments', 'maxItems', 1, 1000],
  ['tiktok-profile', 'maxItems', 1, 1000],
  ['google-maps', 'maxItems', 1, 1000],
  ['google-maps-reviews', 'maxItems', 1, 1000],
  ['youtube', 'maxItems', 1, 1000],
  ['youtube-search', 'maxItems', 1, 1000],
  ['facebook-posts', 'maxItems', 1, 1000],
  ['facebook-comments', 'maxItems', 1, 1000],
]
