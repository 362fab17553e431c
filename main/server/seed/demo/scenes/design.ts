import { DAY, picture, post, type Scene } from '../script.ts'

const cid = 'team:design-crit'

export const designScenes: readonly Scene[] = [
  {
    cid,
    ago: 18 * DAY,
    lines: [
      post(
        'hana',
        'Rules of this room: show early, say what you see before what you think, and one thing you would keep.',
        { pinned: true, reactions: { '💛': ['priya', 'sofia', 'ola'] } },
      ),
      post('sofia', 'Contour lines, first pass. I made every fifth one heavier.', {
        files: [picture('plan-trail.png', 'contours-1.png')],
        as: 'contours',
      }),
      post('hana', 'I see the trail second, the lake first. Is that the order we want?', { quotes: 'contours' }),
      post('sofia', 'No. Trail first, always. I’ll take the lake down a step.'),
      post('tomasz', 'Keep: the heavy fifth line. In rain I read only those.', { reactions: { '☔': ['sofia'] } }),
    ],
  },
  {
    cid,
    ago: 13 * DAY,
    lines: [
      post('hana', 'Closure banner, three ways. A is loud, B is calm, C is what we have now.', {
        files: [
          picture('screen-a.png', 'banner-a.png'),
          picture('screen-b.png', 'banner-b.png'),
          picture('screen-c.png', 'banner-c.png'),
        ],
        as: 'banners',
      }),
      post('priya', 'B, but with the date. People ask “since when” before “why”.', { replyTo: 'banners' }),
      post('marcus', 'B. A looks like an advertisement.', { replyTo: 'banners', reactions: { '💯': ['hana'] } }),
      post('jonas', 'B with date, one line on small phones.', { replyTo: 'banners' }),
      post('ola', 'Po polsku data jest dłuższa niż nazwa szlaku, uwaga na to.', { replyTo: 'banners' }),
      post('hana', 'B with date it is. Thank you, that was quick.', {
        alsoInChannel: true,
        replyTo: 'banners',
        reactions: { '🎉': ['priya', 'marcus', 'ola'] },
      }),
    ],
  },
  {
    cid,
    ago: 6 * DAY,
    lines: [
      post('hana', 'Please vote, two each. The winner goes into 4.2, the second into the drawer.', {
        poll: 'demo-poll-icons',
      }),
      post('sofia', 'The hand is read as “high five” by my neighbour. Just saying.', {
        reactions: { '✋': ['marcus', 'jonas'] },
      }),
      post('jonas', 'The barrier survives at 12 px, the cone does not.'),
    ],
  },
  {
    cid,
    ago: 300,
    lines: [
      post('hana', 'Night palette, second round. Forest is no longer black.', {
        files: [picture('landscape-night.png', 'night-2.png'), picture('landscape-green.png', 'day-2.png')],
      }),
      post('sofia', 'I see paths now. I would keep the moon tint on water.'),
      post('marcus', 'Looks good on OLED. Text on the lake is 4.1 to 1 though.', { reactions: { '👀': ['hana'] } }),
      post('hana', 'Taking the label one step lighter, that gives 4.8.'),
    ],
  },
]
