import { DAY, picture, post, type Scene } from '../script.ts'

const cid = 'team:field-trips'

export const fieldScenes: readonly Scene[] = [
  {
    cid,
    ago: 16 * DAY,
    lines: [
      post('tomasz', 'Plan na listopad: dwa wyjazdy w Tatry, jeden w Pieniny. Kto jedzie, niech tu napisze.', {
        pinned: true,
      }),
      post('hana', 'Me for the first one, if somebody lends me crampons.'),
      post('ewa', 'Mam raki w biurze, rozmiar 38–41.', { reactions: { '🙌': ['hana'] } }),
      post('luis', 'I can drive, five seats.'),
      post('tomasz', 'Pamiętajcie: latarka, folia NRC, naładowany telefon. I papierowa mapa. Tak, papierowa.', {
        reactions: { '🗺️': ['sofia', 'ola'], '😂': ['marcus', 'jonas'] },
      }),
    ],
  },
  {
    cid,
    ago: 9 * DAY,
    lines: [
      post('tomasz', 'Wróciliśmy. 22 km, 1 300 m w górę, jedna kanapka na czworo.', {
        files: [picture('landscape-ridge.png', 'czerwone-wierchy.png'), picture('landscape-snow.png', 'snieg.png')],
        reactions: { '🥪': ['hana', 'luis'], '🏔️': ['ola', 'nadia', 'ewa', 'priya'] },
      }),
      post('hana', 'The banner was right about the closed bridge. We would have walked an hour for nothing.'),
      post('priya', 'That sentence goes into the release notes, if I may?'),
      post('hana', 'You may. Without the sandwich.'),
      post('nadia', 'Спасибо за трек! Две тропы сдвинуты на 15 метров, уже поправила.', {
        reactions: { '🙏': ['tomasz'] },
      }),
    ],
  },
  {
    cid,
    ago: 2 * DAY,
    lines: [
      post('tomasz', 'Sobota! Gdzie testujemy?', { poll: 'demo-poll-valley' }),
      post('ola', 'Kościeliska, bo tam jest ten nowy znak, którego nie mamy na mapie.'),
      post('luis', 'Wherever there is soup at the end.', { reactions: { '🍲': ['tomasz', 'ewa', 'hana', 'ola'] } }),
      post('sofia', 'I’d like the valley with the most contour lines, please.'),
    ],
  },
  {
    cid,
    ago: 95,
    lines: [
      post('tomasz', 'Prognoza na sobotę: −2, słońce do 13, potem chmury. Wyjazd 6:30 spod biura.', {
        reactions: { '☀️': ['ola', 'hana'] },
      }),
      post('hana', '6:30 as in the morning?'),
      post('tomasz', 'As in the morning.', { reactions: { '😴': ['hana', 'luis'] } }),
    ],
  },
]
