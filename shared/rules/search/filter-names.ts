import { fold } from './search-fold.ts'

/** Filter names in all languages of the app, folded: each works whatever the language of the interface. */
export type FilterKey = 'from' | 'in' | 'mentions' | 'has' | 'is' | 'before' | 'after' | 'on' | 'during'
export type HasWhat = 'link' | 'image' | 'video' | 'audio' | 'file' | 'poll' | 'location' | 'reaction'
export type IsWhat = 'pinned' | 'thread' | 'edited' | 'mine' | 'reply' | 'unread'

/** The English name comes first: suggestions insert it. */
export const FILTER_NAMES: Readonly<Record<FilterKey, readonly string[]>> = {
  from: ['from', 'od', 'от'],
  in: ['in', 'w', 'в'],
  mentions: ['mentions', 'wspomina', 'упоминает'],
  has: ['has', 'ma', 'есть'],
  is: ['is', 'jest', 'это'],
  before: ['before', 'przed', 'до'],
  after: ['after', 'po', 'после'],
  on: ['on', 'dnia', 'за'],
  during: ['during', 'podczas', 'период'],
}

const HAS_NAMES: Readonly<Record<HasWhat | 'pin', readonly string[]>> = {
  link: ['link', 'links', 'url', 'odnośnik', 'ссылка'],
  image: ['image', 'images', 'photo', 'picture', 'obraz', 'zdjęcie', 'изображение', 'фото', 'картинка'],
  video: ['video', 'wideo', 'film', 'видео'],
  audio: ['audio', 'voice', 'nagranie', 'аудио', 'голос'],
  file: ['file', 'files', 'plik', 'файл'],
  poll: ['poll', 'ankieta', 'опрос'],
  location: ['location', 'lokalizacja', 'место', 'геопозиция'],
  reaction: ['reaction', 'reactions', 'reakcja', 'реакция'],
  pin: ['pin', 'pinezka', 'закреп'],
}

const IS_NAMES: Readonly<Record<IsWhat, readonly string[]>> = {
  pinned: ['pinned', 'przypięte', 'przypięta', 'закреплено', 'закреплённое'],
  thread: ['thread', 'wątek', 'обсуждение', 'тред', 'ветка'],
  edited: ['edited', 'edytowane', 'изменено'],
  mine: ['mine', 'moje', 'моё', 'мое'],
  reply: ['reply', 'replies', 'odpowiedź', 'ответ', 'ответы'],
  unread: ['unread', 'nieprzeczytane', 'непрочитанное', 'непрочитано'],
}

const byName = <Name extends string>(table: Readonly<Record<Name, readonly string[]>>): ReadonlyMap<string, Name> =>
  new Map(
    Object.entries<readonly string[]>(table).flatMap(([name, all]) => all.map((one) => [fold(one), name as Name])),
  )

export const KEYS = byName(FILTER_NAMES)
export const HAS = byName(HAS_NAMES)
export const IS = byName(IS_NAMES)
/** The viewer, as a value of `from:` and `mentions:`. */
export const ME: ReadonlySet<string> = new Set(['me', 'ja', 'mnie', 'я', 'меня'].map(fold))
