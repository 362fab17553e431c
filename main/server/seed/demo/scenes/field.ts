import { DAY, picture, say, type Scene } from '../script.ts'

const cid = 'team:field-trips'

export const fieldScenes: readonly Scene[] = [
  {
    cid,
    ago: 16 * DAY,
    lines: [
      say('tomasz', 'Plan na listopad: dwa wyjazdy w Tatry, jeden w Pieniny. Kto jedzie, niech tu napisze.', {
        pinned: true,
      }),
      say('hana', 'Me for the first one, if somebody lends me crampons.'),
      say('ewa', 'Mam raki w biurze, rozmiar 38–41.', { reactions: { '🙌': ['hana'] } }),
      say('luis', 'I can drive, five seats.'),
      say('tomasz', 'Pamiętajcie: latarka, folia NRC, naładowany telefon. I papierowa mapa. Tak, papierowa.', {
        reactions: { '🗺️': ['sofia', 'ola'], '😂': ['marcus', 'jonas'] },
      }),
    ],
  },
  {
    cid,
    ago: 9 * DAY,
    lines: [
      say('tomasz', 'Wróciliśmy. 22 km, 1 300 m w górę, jedna kanapka na czworo.', {
        files: [picture('landscape-ridge.png', 'czerwone-wierchy.png'), picture('landscape-snow.png', 'snieg.png')],
        reactions: { '🥪': ['hana', 'luis'], '🏔️': ['ola', 'nadia', 'ewa', 'priya'] },
      }),
      say('hana', 'The banner was right about the closed bridge. We would have walked an hour for nothing.'),
      say('priya', 'That sentence goes into the release notes, if I may?'),
      say('hana', 'You may. Without the sandwich.'),
      say('nadia', 'Спасибо за трек! Две тропы сдвинуты на 15 метров, уже поправила.', {
        reactions: { '🙏': ['tomasz'] },
      }),
    ],
  },
  {
    cid,
    ago: 2 * DAY,
    lines: [
      say('tomasz', 'Sobota! Gdzie testujemy?', { poll: 'demo-poll-valley' }),
      say('ola', 'Kościeliska, bo tam jest ten nowy znak, którego nie mamy na mapie.'),
      say('luis', 'Wherever there is soup at the end.', { reactions: { '🍲': ['tomasz', 'ewa', 'hana', 'ola'] } }),
      say('sofia', 'I’d like the valley with the most contour lines, please.'),
    ],
  },
  {
    cid,
    ago: 95,
    lines: [
      say('tomasz', 'Prognoza na sobotę: −2, słońce do 13, potem chmury. Wyjazd 6:30 spod biura.', {
        reactions: { '☀️': ['ola', 'hana'] },
      }),
      say('hana', '6:30 as in the morning?'),
      say('tomasz', 'As in the morning.', { reactions: { '😴': ['hana', 'luis'] } }),
    ],
  },
]
