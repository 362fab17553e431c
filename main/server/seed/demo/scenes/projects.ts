import { DAY, attachedFile, picture, post, type Scene } from '../script.ts'

const cid = 'team:release-4-2'

/** The channel the demo opens on: RC2, a trail-closure banner, three languages. */
export const releaseScenes: readonly Scene[] = [
  {
    cid,
    ago: 20 * DAY,
    lines: [
      post(
        'ola',
        'This channel is for 4.2. Goal: **offline tiles that survive a cold start**, and trail closures people can trust.',
        { pinned: true, reactions: { '🏔️': ['priya', 'tomasz', 'nadia'] } },
      ),
      post(
        'priya',
        'Scope as agreed:\n\n1. Offline tiles\n2. Trail-closure banner\n3. Faster first start\n\nEverything else waits for 4.3.',
        { reactions: { '👍': ['jonas', 'marcus', 'hana', 'timur'] } },
      ),
      post('marcus', 'Is the new compass in or out?'),
      post('priya', 'Out. It is lovely, and it is out.', { reactions: { '😢': ['hana'] } }),
      post('jonas', 'Android branch is cut. I moved the tile index to its own table, migration is one way.'),
      post('timur', 'Сервер готов отдавать закрытия троп отдельным списком, без карты целиком.'),
    ],
  },
  {
    cid,
    ago: 15 * DAY,
    lines: [
      post('jonas', 'First numbers from the start-up work:', {
        files: [picture('chart-startup.png', 'cold-start-4.1-to-4.2.png')],
        reactions: { '🚀': ['ola', 'priya', 'marcus'] },
      }),
      post('marcus', 'iOS is at 1.4 s, was 3.2. Most of it was one font.'),
      post('hana', 'One font! Which one?'),
      post('marcus', 'The one for the legend. It is loaded when the legend opens now.', {
        reactions: { '🙏': ['hana'] },
      }),
      post('ola', 'Świetnie. Dopisuję do notatek wydania.'),
    ],
  },
  {
    cid,
    ago: 11 * DAY,
    lines: [
      post('tomasz', 'RC1 w telefonie, jutro Tatry. Sprawdzam kafelki bez zasięgu i powrót z trybu samolotowego.', {
        as: 'rc1',
      }),
      post('ola', 'Weź proszę też starego Moto.', { quotes: 'rc1' }),
      post('tomasz', 'Wziąłem. I powerbank, bo go znam.', { reactions: { '😂': ['ola', 'ewa', 'jonas'] } }),
      post(
        'jonas',
        'If the tile list is empty after a restart, please send me this:\n\n```sh\nadb pull /sdcard/Android/data/maps.cairn/files/index.db\nsqlite3 index.db "select count(*), min(z), max(z) from tiles"\n```',
        { as: 'adb' },
      ),
      post('tomasz', 'Mam, wyślę wieczorem.', { quotes: 'adb' }),
    ],
  },
  {
    cid,
    ago: 10 * DAY,
    lines: [
      post('tomasz', 'Bug found: after a cold start the index is empty until the first network answer.', {
        as: 'bug',
        reactions: { '👀': ['jonas', 'marcus', 'ola'] },
      }),
      post('jonas', 'Confirmed. The index is read lazily, and the lazy part waits for the account.', {
        replyTo: 'bug',
      }),
      post('timur', 'То есть без сети — никогда.', { replyTo: 'bug', after: 4 }),
      post('jonas', 'Never, right. Moving it before sign-in.', {
        replyTo: 'bug',
        after: 9,
        reactions: { '❤️': ['tomasz'] },
      }),
      post('ola', 'That decides RC2, then.'),
    ],
  },
  {
    cid,
    ago: 4 * DAY,
    lines: [
      post(
        'ola',
        'Checklist for RC2:\n\n- [x] tile index before sign-in\n- [x] closure banner in three languages\n- [ ] store pictures\n- [ ] release notes, all languages',
        { pinned: true },
      ),
      post('hana', 'Store pictures tomorrow noon. The dark one needs another round.'),
      post('nadia', 'Тексты для баннера готовы: «Тропа закрыта до отмены».', { reactions: { '✅': ['ola'] } }),
      post('ewa', 'Polska wersja: „Szlak zamknięty do odwołania”.', { reactions: { '✅': ['ola', 'tomasz'] } }),
      post('marcus', 'Both fit at 320 px. I was ready to be sad.', { deleted: false }),
    ],
  },
  {
    cid,
    ago: 180,
    lines: [
      post(
        'priya',
        'RC2 is on both test tracks. Two things need eyes before Friday: **offline tiles** after a cold start, and the new trail-closure banner.',
        {
          as: 'rc2',
          pinned: true,
          reactions: { '👀': ['ola', 'jonas', 'tomasz', 'marcus', 'nadia', 'hana'], '🥾': ['tomasz', 'sofia', 'luis'] },
        },
      ),
      post('jonas', 'Cold start is mine. The tile index was rebuilt on every launch, fixed in `a41f9c`.', {
        replyTo: 'rc2',
        after: 11,
      }),
      post('tomasz', 'Confirmed on a Pixel 6a: 4.1 s down to 0.9 s 🎉', {
        replyTo: 'rc2',
        after: 11,
        as: 'pixel',
        reactions: { '🚀': ['ola', 'priya', 'jonas', 'nadia'] },
      }),
      post('tomasz', 'The old Moto still takes 2.8 s though.', { replyTo: 'rc2', after: 1, as: 'moto' }),
      post('nadia', 'Там 32-битная сборка SQLite, кэш страниц в два раза меньше. Попробую поднять до 8 МБ.', {
        replyTo: 'rc2',
        quotes: 'moto',
        after: 11,
      }),
      post(
        'ola',
        'Banner copy is ready in three languages. @Priya Raman can you check that the Polish one fits on one line?',
        { replyTo: 'rc2', mentions: ['priya'], after: 7 },
      ),
      post('tomasz', 'First shots from this morning’s walk. Closures show up even with the phone in flight mode.', {
        as: 'walk',
        after: 9,
        files: [
          picture('landscape-dawn.png', 'ridge-before-seven.png'),
          picture('screen-a.png', 'closure-banner.png'),
          picture('landscape-ridge.png', 'ridge-from-below.png'),
          picture('landscape-snow.png', 'first-snow.png'),
        ],
        reactions: { '😍': ['hana', 'ewa', 'sofia'] },
      }),
      post('ola', 'Lovely light. I’ll use the first one for the store listing.', { edited: true }),
      post('luis', 'Support has four cases on closures since the weekend, all from people on 4.1.', {
        after: 14,
        files: [attachedFile('case-list.csv', 'closure-cases-week-47.csv', 'text/csv')],
      }),
      post('marcus', 'iOS archive is uploading, processing usually takes half an hour.', { after: 12 }),
      post('priya', 'Stores want the short description by noon. Ola, can you check that it still fits in Polish?', {
        after: 15,
      }),
      post('jonas', '@Ola Wiśniewska the Polish banner wraps at 360 px: **„Szlak zamknięty do odwołania”**. Shorter?', {
        mentions: ['ola'],
        after: 20,
        as: 'wrap',
      }),
      post('nadia', 'Красота! Закрытия теперь приходят из ночной выгрузки.', {
        quotes: 'walk',
        after: 2,
        reactions: { '❤️': ['tomasz', 'sofia', 'timur'], '🏔️': ['tomasz', 'luis'] },
      }),
    ],
  },
]

const designChannel = 'team:design-crit'

export const designScenes: readonly Scene[] = [
  {
    cid: designChannel,
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
      post('sofia', 'No. Trail first, always. I’ll take the lake down a step.', { later: 20 * 60 }),
      post('tomasz', 'Keep: the heavy fifth line. In rain I read only those.', { reactions: { '☔': ['sofia'] } }),
    ],
  },
  {
    cid: designChannel,
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
    cid: designChannel,
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
    cid: designChannel,
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
