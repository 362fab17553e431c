import type { Exchange } from './phrases.ts'

/** Direct messages to Ola. */
export const dmTalk: readonly { readonly cid: string; readonly talk: readonly Exchange[] }[] = [
  {
    cid: 'dm-priya',
    talk: [
      [
        ['priya', 'Can you take the {n10_16}:00 call without me?'],
        ['ola', 'Sure. Anything I should not promise?'],
        ['priya', 'Dates.', { reactions: { '👌': ['ola'] } }],
      ],
      [
        ['ola', 'Sent the list of devices, {n12_30} lines.'],
        ['priya', 'Read it. Line {n2_9} surprises me.'],
        ['ola', 'Me too, asking Jonas.'],
      ],
      [
        ['priya', 'Good work on {screen} today.'],
        ['ola', 'Thank you. Mostly Hana.'],
      ],
    ],
  },
  {
    cid: 'dm-tomasz',
    talk: [
      [
        ['tomasz', 'Wracam z {regionPl} o {n16_21}:00, zdjęcia będą wieczorem.'],
        ['ola', 'Spokojnie, jutro wystarczy.'],
      ],
      [
        ['ola', 'Masz jeszcze {phone} u siebie?'],
        ['tomasz', 'Mam, naładowany.'],
        ['ola', 'Przynieś proszę w poniedziałek.'],
      ],
    ],
  },
  {
    cid: 'dm-nadia',
    talk: [
      [
        ['nadia', 'Выгрузка прошла за {n18_34} мин.'],
        ['ola', 'Dziękuję!'],
      ],
      [
        ['ola', 'Czy „{thingRu}” po polsku to „{thingPl}”?'],
        ['nadia', 'Почти. Лучше спросить Томаша :)'],
      ],
    ],
  },
  {
    cid: 'dm-jonas',
    talk: [
      [
        ['jonas', 'Build {n1800_1990} is the one to test tonight.'],
        ['ola', 'On it after dinner.'],
      ],
      [
        ['ola', '{phone}: {n900_1500} ms. Is that good?'],
        ['jonas', 'For that phone it is heroic.', { reactions: { '😂': ['ola'] } }],
      ],
    ],
  },
  {
    cid: 'dm-ewa',
    talk: [
      [
        ['ewa', 'Faktura {n100_999} podpisana?'],
        ['ola', 'Tak, w teczce.'],
      ],
      [
        ['ola', 'Ewa, czy sala {room} jest wolna o {n9_15}:00?'],
        ['ewa', 'Jest, zapisałam na Ciebie.'],
      ],
    ],
  },
  {
    cid: 'dm-timur',
    talk: [
      [
        ['timur', 'Узел {n1_3} обслуживаю завтра в {n6_9} утра, сообщу.'],
        ['ola', 'Dobrze, dziękuję.'],
      ],
      [
        ['timur', 'Готово, простоя не было.'],
        ['ola', '💚'],
      ],
    ],
  },
]
