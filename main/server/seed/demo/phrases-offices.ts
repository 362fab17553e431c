import type { Exchange } from './phrases.ts'

export const krakowTalk: readonly Exchange[] = [
  [
    ['ewa', 'Sala {room} jest dziś zajęta do {n11_16}:00.'],
    ['tomasz', 'Dzięki, biorę kuchnię.'],
  ],
  [
    ['ewa', 'Przyszła paczka, {n2_9} kg, bez nadawcy. Ktoś czeka?'],
    ['tomasz', 'To moje raki.', { reactions: { '🧗': ['ola', 'ewa'] } }],
  ],
  [
    ['ola', 'Ewa, czy mamy jeszcze kable do {phone}?'],
    ['ewa', 'Trzecia szuflada od góry, {n3_8} sztuk.'],
  ],
  [['ewa', 'Drukarka działa, ale tylko po jednej stronie. Serwis o {n9_15}:30.']],
  [
    ['tomasz', 'Zostawiam samochód na miejscu {n2_12}, wracam w niedzielę.'],
    ['ewa', 'Zapisane.'],
  ],
  [
    ['ewa', 'Kto jutro będzie w biurze? Zamawiam {dish}.'],
    ['ola', 'Ja.'],
    ['tomasz', 'Ja, podwójnie.'],
    ['hana', 'Me, please, whatever it is.', { reactions: { '🍽️': ['ewa'] } }],
  ],
  [
    ['ewa', 'Proszę zamykać okna w sali {room}, rano było {n9_14} stopni.'],
    ['tomasz', 'W {regionPl} było {n1_5}, więc luksus.'],
  ],
  [
    ['ola', 'Goście o {n10_14}:00, cztery osoby, sala {room}.'],
    ['ewa', 'Woda i kawa będą.'],
  ],
  [['ewa', 'Kwiat w {room} ma imię: Rysiek. Podlewamy w środy.', { reactions: { '🪴': ['ola', 'hana', 'tomasz'] } }]],
]

export const almatyTalk: readonly Exchange[] = [
  [
    ['timur', 'Ночная выгрузка: {n21_34} мин, ошибок нет.'],
    ['nadia', 'Спасибо!'],
  ],
  [['nadia', 'Проверила {thingRu} в {regionRu}: координаты верные, имя исправила.']],
  [
    ['timur', 'Нагрузка на узел {n1_3}: {n30_75} %, запас есть.'],
    ['nadia', 'До релиза хватит?'],
    ['timur', 'До релиза и на праздники.'],
  ],
  [
    ['nadia', 'Кто возьмёт «{region}»? Осталось объектов: {n12_90}.'],
    ['sofia', 'I can, if the names are in Latin letters too.'],
    ['nadia', 'Сделаю транслитерацию.', { reactions: { '🙏': ['sofia'] } }],
  ],
  [
    ['timur', 'Обновил базу до {n16_17}.{n1_6}, перезапуск за {n3_9} с.'],
    ['nadia', 'Никто не заметил, значит, всё хорошо.'],
  ],
  [['nadia', 'Сегодня в горах ясно, видно {regionRu} из окна.', { reactions: { '😍': ['sofia', 'ola'] } }]],
  [['timur', 'Очередь задач: в работе {n0_4}, в ожидании {n0_3}.']],
  [
    ['tomasz', 'Jak po rosyjsku „przełęcz”?'],
    ['nadia', 'Перевал. А по-казахски — асу.'],
    ['timur', 'Подтверждаю.', { reactions: { '📚': ['tomasz'] } }],
  ],
  [
    ['nadia', 'Отчёт за неделю: правок {n120_480}, уточнений {n8_30}.'],
    ['ola', 'Piękna liczba, wpiszę do podsumowania.'],
  ],
]

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
