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
