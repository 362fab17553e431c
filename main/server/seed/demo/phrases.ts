import type { Exchange } from './team.ts'

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

export const releaseTalk: readonly Exchange[] = [
  [['ci', '**4.2.0 ({n1800_1990})** Android: passed in {n9_14} min, {n2100_2300} tests']],
  [['ci', '**4.2.0 ({n1800_1990})** iOS: passed in {n14_21} min, {n1700_1900} tests']],
  [
    ['ci', '**4.2.0 ({n1800_1990})** Android: 1 of {n2100_2300} tests failed: `TileIndexTest.survives_restart`'],
    ['jonas', 'Mine. The test clock ran past midnight, fixing.'],
    ['ci', '**4.2.0 ({n1800_1990})** Android: passed in {n9_14} min', { reactions: { '✅': ['jonas'] } }],
  ],
  [
    ['ci', '**4.2.0 ({n1800_1990})** iOS: snapshot differs on {n1_4} screens'],
    ['marcus', 'That is the new font size, updating the pictures.'],
  ],
  [
    ['jonas', 'Stand-up: yesterday the tile index, today the same on {phone}, nothing in the way.'],
    ['marcus', 'Stand-up: store metadata and {n2_6} small reviews.'],
    ['ola', 'Stand-up: teksty do wydania i lista urządzeń do testów.'],
  ],
  [
    ['timur', 'Стендап: ответы сервера кэшируются {n5_30} мин, закрытия — {n30_90} с.'],
    ['nadia', 'Стендап: проверка тайлов в {regionRu}.'],
  ],
  [
    ['jonas', 'Cold start on {phone}: {n800_1400} ms, median of {n10_30}.', { reactions: { '🚀': ['ola'] } }],
    ['ola', 'Zapisane w arkuszu.'],
  ],
  [
    ['marcus', '{phone} with {os}: offline tiles fine, banner fine, {screen} flickers once.'],
    ['hana', 'Which transition? I can take it out.'],
    ['marcus', 'The fade. Without it: nothing flickers.'],
  ],
  [
    ['ola', 'Kto może sprawdzić {screen} na {phone}?', { as: 'ask' }],
    ['tomasz', 'Ja, wieczorem.', { replyTo: 'ask' }],
    ['tomasz', 'Sprawdzone, działa.', { replyTo: 'ask', after: 90 }],
  ],
  [
    ['priya', 'Two words changed in the {screen} text, both approved by support.'],
    ['luis', 'Confirmed, thank you for asking first.', { reactions: { '🙏': ['priya'] } }],
  ],
  [
    ['jonas', 'Migration tested with a {n300_900} MB map folder: {n3_11} s, progress is shown.'],
    ['ola', 'And when the phone is switched off in the middle?'],
    [
      'jonas',
      'It starts again from the last finished region. Tested by pulling the battery, literally.',
      { reactions: { '🔋': ['ola', 'tomasz'] } },
    ],
  ],
]

export const mapTalk: readonly Exchange[] = [
  [
    ['sofia', '{region}: {thing} is {n10_60} m off. Source is the {n2009_2019} survey.'],
    ['nadia', 'Поправила, будет в ночной выгрузке.', { reactions: { '👍': ['sofia'] } }],
  ],
  [
    ['tomasz', 'W {regionPl} brakuje: {thingPl}, współrzędne w komentarzu.', { as: 'spot' }],
    ['tomasz', '49.2{n100_900}, 19.9{n100_900}', { replyTo: 'spot' }],
    ['nadia', 'Добавлено, спасибо!', { replyTo: 'spot', after: 40 }],
  ],
  [['nadia', 'В {regionRu} новый объект: {thingRu}. Проверен по двум источникам.']],
  [['ci', 'Nightly export: {n18200_18900} tiles changed, {n20_34} min, 0 errors']],
  [
    ['ci', 'Nightly export: {n18200_18900} tiles changed, {n20_34} min, {n1_3} warnings (empty names)'],
    ['nadia', 'Пустые имена — это новые тропы, заполню днём.'],
  ],
  [
    ['sofia', 'Contours of {region} at zoom {n11_15} look noisy. Smoothing {n2_5} or leave?'],
    ['nadia', 'Сгладь до трёх, на скалах оставь.'],
    ['sofia', 'Done, the cliffs are still cliffs.'],
  ],
  [['timur', 'Размер пакета «{region}»: {n40_220} МБ, было на {n2_12} % больше.', { reactions: { '📦': ['sofia'] } }]],
  [
    ['tomasz', 'Sprawdziłem w terenie: {thingPl} stoi, nazwa się zgadza.'],
    ['sofia', 'Marked as verified.'],
  ],
  [
    ['luis', 'A hiker reports {thing} in {region} is gone since the flood.'],
    ['sofia', 'Removed, with the report linked.'],
    ['luis', 'She says thank you.', { reactions: { '💚': ['sofia', 'nadia'] } }],
  ],
  [
    ['nadia', 'Границы: участков обновлено {n3_9}, все в {regionRu}, один спорный оставила пунктиром.'],
    ['ola', 'Dobrze, pokażemy „granica przybliżona”.'],
  ],
  [['sofia', '`{n1_9}.{n10_99} %` of labels in {region} overlap at zoom 13, down from `{n11_19} %`.']],
  [
    ['ewa', 'Urząd gminy przysłał listę zamkniętych szlaków w {regionPl}, pozycji: {n2_8}.'],
    ['nadia', 'Внесла все, даты окончания тоже.', { reactions: { '🙌': ['ewa'] } }],
  ],
  [
    ['timur', 'Запрос по району занимал {n300_700} мс, с новым индексом {n8_25} мс.'],
    ['jonas', 'I felt that on the phone. Lovely.'],
  ],
]

export const supportTalk: readonly Exchange[] = [
  [
    ['luis', '#{n8000_8200} {complaint}, {phone}, {os}', { as: 'case' }],
    ['jonas', 'Looking.', { replyTo: 'case' }],
    ['jonas', '{fix}', { replyTo: 'case', after: 35 }],
    ['luis', 'Answered, closing.', { replyTo: 'case', after: 12 }],
  ],
  [
    ['luis', '#{n8000_8200} {complaint} ({os})', { as: 'case' }],
    ['marcus', 'Same as last week: {fix}.', { replyTo: 'case' }],
  ],
  [
    ['luis', '#{n8000_8200} {complaint}. Log attached in the case.'],
    ['timur', 'По логу: сервер ответил, клиент не дождался. Увеличили ожидание.'],
  ],
  [
    ['luis', 'Today: {n8_30} new, {n8_30} closed, oldest is {n1_4} days.'],
    ['priya', 'Oldest under a week for the tenth day. Well done.', { reactions: { '👏': ['ola', 'jonas'] } }],
  ],
  [
    ['luis', '#{n8000_8200} asks for {region} in winter colours.'],
    ['priya', 'On the list for spring, ironically.'],
  ],
  [
    ['luis', '#{n8000_8200} klientka pisze po polsku: „{complaint}”. Pomoże ktoś?'],
    ['ola', 'Odpisałam, rozwiązane.', { reactions: { '💛': ['luis'] } }],
  ],
  [
    ['luis', '#{n8000_8200} {complaint}, third this week', { as: 'third' }],
    ['ola', 'Third is a pattern. Jonas?', { replyTo: 'third', mentions: ['jonas'] }],
    ['jonas', '{fix}, and a test for it.', { replyTo: 'third', after: 60 }],
  ],
  [['nadia', 'Ответила по #{n8000_8200}: тропа закрыта официально, мы показываем верно.']],
  [
    [
      'luis',
      'Praise of the day: “I followed the dotted line and it was the right one.”',
      { reactions: { '❤️': ['nadia', 'ola', 'priya'] } },
    ],
  ],
]

export const designTalk: readonly Exchange[] = [
  [
    ['hana', '{screen}: I changed the {part}, nothing else. What do you see first?'],
    ['sofia', 'The {part}, so it works.'],
    ['jonas', 'The button. Is that wanted?'],
    ['hana', 'It is now less so.'],
  ],
  [['sofia', 'Label test in {region}: {n8_14} px reads on {phone}, {n5_7} does not.']],
  [
    ['marcus', 'The {part} of {screen} breaks at the largest text size.'],
    ['hana', 'Thank you, on it.', { reactions: { '🔍': ['marcus'] } }],
  ],
  [
    ['hana', 'One thing to keep in {screen}?'],
    ['priya', 'The silence around the number.'],
    ['tomasz', 'Strzałka. W rękawiczkach trafiam za pierwszym razem.'],
  ],
  [
    ['ola', 'Po polsku „{screen}” jest dłuższe: +{n2_6} zn.'],
    ['hana', 'I’ll let the row grow instead of the font shrink.'],
  ],
  [
    ['sofia', 'Question of taste: dashed or dotted for paths under snow?'],
    ['tomasz', 'Kropki. Kreski to strumień.'],
    ['sofia', 'Dots then.'],
  ],
]

export const fieldTalk: readonly Exchange[] = [
  [
    ['tomasz', 'Warunki w {regionPl}: {weather}.'],
    ['ola', 'Dzięki, przekazuję do notatek.'],
  ],
  [
    ['sofia', '{region} this weekend: {weather}. Taking {phone} and the new build.'],
    ['tomasz', 'Zapisz proszę ślad z dokładnością, nie tylko punkty.'],
  ],
  [
    [
      'luis',
      '{n8_24} km on {walk}, build did not crash, knees nearly did.',
      { reactions: { '🥾': ['tomasz', 'hana'] } },
    ],
  ],
  [
    [
      'timur',
      'Прошёл маршрут в {regionRu}: {n900_1900} м набора, связь пропала на {n2_5} ч, карта — нет.',
      { reactions: { '💪': ['nadia', 'tomasz'] } },
    ],
  ],
  [
    ['hana', 'Walked {walk} with the night palette. Read everything, saw one fox.'],
    ['marcus', 'Is the fox on the map?'],
    ['hana', 'Not yet.'],
  ],
  [
    ['tomasz', 'Bateria po {n5_9} h nagrywania: {n35_70} %. {phone}.'],
    ['jonas', 'Two points better than 4.1.'],
  ],
]

export const randomTalk: readonly Exchange[] = [
  [
    ['marcus', 'Baked {pastry}. There is some left in the kitchen, if you are in Stockholm.'],
    ['jonas', 'There was some left.'],
  ],
  [
    ['luis', 'Lunch walk: {walk}, {weather}.'],
    ['hana', 'Jealous. Here: a screen.'],
  ],
  [
    ['ewa', 'Na obiad dziś {dish}.'],
    ['tomasz', 'Idę.'],
    ['ola', 'Też idę.'],
  ],
  [
    ['sofia', 'Word of the day for map people: “saddle”, which has nothing to do with horses.'],
    ['nadia', 'По-русски «седловина», и тоже без лошадей.', { reactions: { '🐴': ['hana', 'luis'] } }],
  ],
  [
    ['hana', 'What are you listening to while working?'],
    ['luis', 'The dishwasher.'],
    ['timur', 'Дождь по подоконнику.'],
    ['priya', 'One song, {n12_40} times.'],
  ],
  [['timur', 'За окном +{n2_14}, горы видно до самого края.', { reactions: { '🏔️': ['nadia', 'ola'] } }]],
  [
    ['priya', 'My neighbour’s cat has a route. {n3_8} gardens, always the same order.'],
    ['sofia', 'GPX please.', { reactions: { '😹': ['ola', 'ewa', 'hana'] } }],
  ],
  [['jonas', 'Coffee machine says “descale”. I said nothing back.']],
]
