import type { Admin } from '../e2e/kit/admin.ts'

/** So many that a campaign to them can be seen on its way. */
const PEOPLE = 12_000
const PER_CALL = 100

const GIVEN = [
  'Agnieszka',
  'Bartosz',
  'Chiara',
  'Дарья',
  'Emre',
  'Fatima',
  'Grzegorz',
  'Hugo',
  'Ирина',
  'Łucja',
  'Noor',
]
const FAMILY = ['Adler', 'Brzęczyszczykiewicz', 'Costa', 'Доронина', 'Evans', 'Farah', 'Górska', 'Hoffmann', 'Ivanova']
const LANGUAGES = ['pl', 'ru', 'en', 'de']
const REGIONS = ['Tatry', 'Алатау', 'Sächsische Schweiz']
const ZONES = ['Europe/Warsaw', 'Asia/Almaty', 'America/New_York', undefined, undefined]
/** More than half of what a message can have. */
const LONG = 'Rysy, Kozi Wierch, Lodowy, '.repeat(130)

/** Hikers all over the world, some of whom no message can reach, for segments and campaigns. */
export async function addCrowd(admin: Admin): Promise<void> {
  await admin.call('POST', '/users', { users: { ola: { id: 'ola', role: 'admin' } } })
  for (let from = 0; from < PEOPLE; from += PER_CALL) {
    const users = Array.from({ length: PER_CALL }, (_, index) => hiker(from + index)).map((each) => [each.id, each])
    await admin.call('POST', '/users', { users: Object.fromEntries(users) })
  }
  for (const at of [3, 4, 5]) await admin.call('POST', `/users/${idOf(at)}/deactivate`, {})
  await admin.call('POST', '/users/delete', { user_ids: [idOf(6)], user: 'soft' })
}

const idOf = (at: number): string => `hiker-${String(at).padStart(5, '0')}`

function hiker(at: number) {
  const of = <Value>(values: readonly Value[], step: number): Value | undefined => values[(at * step) % values.length]
  return {
    id: idOf(at),
    name: `${of(GIVEN, 1)} ${of(FAMILY, 2)}`,
    language: of(LANGUAGES, 1),
    hiker: 'yes',
    ...(at % 3 === 0 ? {} : { region: of(REGIONS, 1) }),
    ...(of(ZONES, 1) === undefined ? {} : { timezone: of(ZONES, 1) }),
    ...(at % 4_000 === 100 ? { summits: LONG } : {}),
  }
}
