import type { Admin } from '../e2e/kit/admin.ts'

/** So many that a campaign to them can be seen on its way. */
const PEOPLE = 18_000
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
/** As long as what is written for a field may be. */
const LONG = 'Rysy, Kozi Wierch, Lodowy, Krywań, Gerlach, '.repeat(6).slice(0, 255)
const LONGEST_MESSAGE = 400

/** Hikers all over the world, some of whom no message can reach, for segments and campaigns. */
export async function addCrowd(admin: Admin): Promise<void> {
  await admin.call('POST', '/users', { users: { ola: { id: 'ola', role: 'admin' } } })
  for (let from = 0; from < PEOPLE; from += PER_CALL) {
    const users = Array.from({ length: PER_CALL }, (_, index) => hiker(from + index)).map((each) => [each.id, each])
    await admin.call('POST', '/users', { users: Object.fromEntries(users) })
  }
  await admin.call('POST', '/blocklists', { name: 'ads', words: ['casino'] })
  await admin.call('PUT', '/channeltypes/messaging', {
    max_message_length: LONGEST_MESSAGE,
    blocklist: 'ads',
    blocklist_behavior: 'block',
  })
  await admin.call('PATCH', '/users', { users: [{ id: idOf(BLOCKED), set: { region: 'casino tours' } }] })
  for (const at of [3, 4, 5]) await admin.call('POST', `/users/${idOf(at)}/deactivate`, {})
  await admin.call('POST', '/users/delete', { user_ids: [idOf(6)], user: 'soft' })
  await addSegments(admin)
  await addCampaign(admin, 'Spring tours')
  await addCampaign(admin, 'Winter maps')
}

/** Three levels: all of these, one of those, all of the inner ones. */
const NESTED = {
  $and: [
    { hiker: { $eq: 'yes' } },
    {
      $or: [
        { language: { $in: ['pl', 'ru'] } },
        { $and: [{ region: { $eq: 'Tatry' } }, { created_at: { $gt: '2026-01-31T12:00:00Z' } }, { banned: false }] },
      ],
    },
    { $nor: [{ role: { $eq: 'guest' } }, { id: { $in: ['hiker-00007', 'hiker-00008'] } }] },
  ],
}

async function addSegments(admin: Admin): Promise<void> {
  const add = (
    id: string,
    type: 'user' | 'channel',
    name: string,
    filter: object,
    description = '',
  ): Promise<unknown> => admin.call('POST', '/segments', { id, type, name, filter, description })
  await add('hikers', 'user', 'Hikers', { hiker: { $eq: 'yes' } }, 'Everyone who has told us that they hike')
  await add('winter', 'user', 'Winter hikers in the mountains of Europe and Asia', NESTED)
  await add('rooms', 'channel', 'Team channels', { type: { $eq: 'team' } }, 'Where the teams read news')
  await add('keepers', 'user', 'Hut keepers', {})
  const target_ids = ['hana', 'jonas', ...[100, BLOCKED, 4_100].map(idOf)]
  await admin.call('POST', '/segments/keepers/addtargets', { target_ids })
}

/** One that is written, and not sent yet. What Ola sends makes conversations of hers: only a few. */
export async function addCampaign(admin: Admin, name: string, segment = 'hikers'): Promise<void> {
  await admin.call('POST', '/campaigns', {
    name,
    sender_id: segment === 'hikers' ? 'priya' : 'ola',
    message_template: {
      text: `Hi {{receiver.first_name|there}}, the ${name.toLowerCase()} of {{receiver.region|your region}} are here. {{receiver.summits|}} {{receiver.summits|}}`,
    },
    segment_ids: [segment],
    user_ids: ['ola', 'priya', 'hana', 'jonas', 'nobody-at-all', idOf(3)],
    create_channels: true,
  })
}

/** The one whose region is a blocked word. */
const BLOCKED = 205
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
