import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import type { Admin } from '../e2e/kit/admin.ts'
import { API_KEY, SECRET } from '../e2e/kit/processes.ts'

/** What the demo team lacks and a picture needs: every kind of message, every kind of closed channel, reminders. */

/** The channel with one message of every kind. */
export const EVERY_KIND = 'team:every-kind'
const PATH = '/channels/team/every-kind'
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const inTime = (ms: number): string => new Date(Date.now() + ms).toISOString()

type Json = Record<string, unknown>
type SentMessage = { readonly message: { readonly id: string } }

/** Hours from now; undefined is a saved message without a time. */
const REMINDERS = [-72, -1, 0.01, 2, 48, 200, undefined] as const

/** Overdue, due, later today, upcoming and saved: one of the newest messages of the first channel each. */
export async function remind(admin: Admin): Promise<void> {
  const { messages } = (await admin.call('POST', '/channels/team/release-4-2/query', {
    data: { created_by_id: 'ola' },
    state: true,
    messages: { limit: REMINDERS.length },
  })) as { messages: { id: string }[] }
  for (const [at, hours] of REMINDERS.entries()) {
    const when = hours === undefined ? {} : { remind_at: inTime(hours * HOUR) }
    await admin.call('POST', `/messages/${messages[at]?.id}/reminders`, when, 'ola')
  }
}

/** Slow, frozen, read-only, blocked, empty, crowded, and an invitation. */
export async function addSampleChannels(admin: Admin): Promise<void> {
  const team = ['ola', 'luis', 'priya', 'jonas']
  const open = (id: string, more: Json = {}): Promise<unknown> =>
    admin.call('POST', `/channels/team/${id}/query`, {
      data: { name: id, members: team, created_by_id: 'priya', ...more },
      state: false,
    })
  await open('rather-slow', { cooldown: 120 })
  await open('deep-freeze', { frozen: true })
  await open('old-plans')
  await open('read-only')
  await admin.send('team:read-only', 'priya', 'News for everybody, from a few.')
  const readers = { grants: { channel_member: ['read-channel', 'create-reaction'], user: ['read-channel'] } }
  await admin.change('team:read-only', { config_overrides: readers })
  await open('nothing-yet')
  const guests = Array.from({ length: 30 }, (_each, at) => `guest-${at + 1}`)
  await admin.people(...guests)
  await open('crowd', { members: [...team, ...guests] })
  await admin.send('team:rather-slow', 'priya', 'One thought at a time, please.')
  await admin.send('team:deep-freeze', 'priya', 'This plan is done. It stays here for reading.')
  await admin.call('POST', '/channels/team/gathering/query', {
    data: { name: 'gathering-of-the-mapmakers', members: ['priya'], invites: ['ola', 'luis'], created_by_id: 'priya' },
    state: false,
  })
  for (const who of ['ola', 'luis']) {
    await admin.call('POST', '/users/block', { blocked_user_id: 'marcus' }, who)
    await admin.call('POST', '/channels/messaging/query', {
      data: { members: [who, 'marcus'], created_by_id: 'marcus' },
      state: false,
    })
  }
}

/** One message of every kind, the plain ones first. */
export async function addSampleData(admin: Admin, url: string): Promise<void> {
  const members = ['ola', 'luis', 'priya', 'jonas', 'tomasz', 'nadia', 'hana', 'marcus', 'sofia', 'timur']
  await admin.call('POST', `${PATH}/query`, {
    data: { name: 'every-kind', topic: 'One of each', members, created_by_id: 'ola' },
    state: false,
  })
  for (const [who, more] of [
    ['sofia', { reason: 'Advertising again and again', timeout: 7 * 24 * 60 }],
    ['timur', { shadow: true }],
  ] as const) {
    await admin.call('POST', '/moderation/ban', {
      target_user_id: who,
      banned_by_id: 'ola',
      type: 'team',
      id: 'every-kind',
      ...more,
    })
  }
  const send = async (by: string, message: Json): Promise<string> =>
    ((await admin.call('POST', `${PATH}/message`, { message }, by)) as SentMessage).message.id
  const photo = await upload(url, 'landscape-dawn.png', 'image')
  const other = await upload(url, 'landscape-ridge.png', 'image')
  const table = await upload(url, 'case-list.csv', 'file')
  const image = (from: string, title: string): Json => ({
    type: 'image',
    image_url: from,
    title,
    original_width: 1_280,
    original_height: 880,
  })
  const file = (title: string, mime: string, size: number): Json => ({
    type: 'file',
    asset_url: table,
    title,
    mime_type: mime,
    file_size: size,
  })

  const deletedId = await send('jonas', { text: 'This one goes' })
  await admin.call('DELETE', `/messages/${deletedId}`, {})
  await send('priya', { text: 'Priya Raman added Hana Mori and Luis Ortega', type: 'system' })
  const first = await send('priya', {
    text: 'Formatted: **bold**, _italic_, ~~gone~~, `code`, a [link](https://example.org/) and https://example.org/a/very/long/address.\n\n> A quoted line\n\n1. one\n2. two\n\n- [x] done\n- [ ] open',
  })
  await send('luis', { text: '🎉🥾' })
  await send('jonas', { text: '@Ola Wiśniewska look at this, it concerns you', mentioned_users: ['ola'] })
  await send('hana', { text: 'An answer with a quote', quoted_message_id: first })
  await send('hana', { text: '', attachments: [image(photo, 'ridge-before-seven.png')] })
  await send('tomasz', { text: 'Two', attachments: [image(photo, 'one.png'), image(other, 'two.png')] })
  await send('tomasz', {
    text: 'Five',
    attachments: ['a', 'b', 'c', 'd', 'e'].map((name, at) => image(at % 2 === 0 ? photo : other, `${name}.png`)),
  })
  await send('nadia', { text: 'Lost', attachments: [image(`${url}/gone.png`, 'gone.png')] })
  await send('marcus', {
    text: '',
    attachments: [
      {
        type: 'video',
        asset_url: table,
        title: 'Closure banner, iPhone SE.mp4',
        mime_type: 'video/mp4',
        file_size: 18_400_000,
        duration: 32,
      },
    ],
  })
  await send('luis', {
    text: 'Files of several kinds',
    attachments: [
      file('cairn-ios-diagnostics-2026-11-20-rc2-full-with-a-very-long-name.zip', 'application/zip', 4_700_000),
      file('Cairn 4.2 release plan.pdf', 'application/pdf', 640_000),
      file(
        'Замеры холодного старта.xlsx',
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        118_000,
      ),
    ],
  })
  await send('tomasz', {
    text: '',
    attachments: [
      {
        type: 'voiceRecording',
        asset_url: table,
        title: 'Voice message',
        mime_type: 'audio/webm',
        file_size: 80_000,
        duration: 47,
        waveform_data: Array.from({ length: 60 }, (_each, at) => (1 + Math.sin(at * 1.7) * Math.cos(at / 5)) / 2),
      },
    ],
  })
  await send('tomasz', {
    text: '',
    attachments: [
      {
        type: 'audio',
        asset_url: table,
        title: 'ranger-interview.mp3',
        mime_type: 'audio/mpeg',
        file_size: 11_200_000,
        duration: 724,
      },
    ],
  })
  await send('hana', {
    text: 'Section 3 explains it: https://fieldnotes.example/offline',
    attachments: [
      {
        type: 'image',
        og_scrape_url: 'https://fieldnotes.example/offline',
        title_link: 'https://fieldnotes.example/offline',
        author_name: 'fieldnotes.example',
        title: 'Offline maps that survive a cold start',
        text: 'How we cut the first paint of a 400 MB region to under a second by splitting the tile index from the tiles.',
        image_url: other,
        thumb_url: other,
      },
    ],
  })
  await send('jonas', {
    text: [
      '```ts',
      ...Array.from(
        { length: 24 },
        (_each, at) => `const line${at} = await region.reload({ source: 'cache', at: ${at} }) // nightly`,
      ),
      '```',
    ].join('\n'),
  })
  await send('tomasz', {
    text: '',
    shared_location: { latitude: 49.2746, longitude: 19.8683, created_by_device_id: 'phone' },
  })
  await send('nadia', {
    text: '',
    shared_location: { latitude: 43.158, longitude: 77.059, created_by_device_id: 'phone', end_at: inTime(2 * HOUR) },
  })
  await addSamplePolls(admin, send)
  const own = await send('ola', { text: 'Mine, with a reminder' })
  await admin.call('POST', `/messages/${own}/reminders`, { remind_at: inTime(DAY) }, 'ola')
  for (const [who, type, score] of [
    ['priya', '👍', 1],
    ['ola', '👍', 3],
    ['jonas', '🎉', 1],
    ['nadia', '❤️', 10],
    ['hana', '🚀', 1],
  ] as const) {
    await admin.call('POST', `/messages/${own}/reaction`, { reaction: { type, score } }, who)
  }
  await send('priya', { text: 'A reply', parent_id: own })
  await send('luis', { text: 'Sent silently', silent: true })
}

/** Open without a vote, at the limit, long, anonymous, closed. */
async function addSamplePolls(admin: Admin, send: (by: string, message: Json) => Promise<string>): Promise<void> {
  const poll = async (
    by: string,
    votes: Readonly<Record<string, readonly number[]>>,
    what: Json & { of: string[] },
  ) => {
    const { of, ...more } = what
    const made = (await admin.call('POST', '/polls', { ...more, options: of.map((text) => ({ text })) }, by)) as {
      poll: { id: string; options: { id: string }[] }
    }
    const messageId = await send(by, { text: '', poll_id: made.poll.id })
    for (const [who, chosen] of Object.entries(votes)) {
      for (const at of chosen) {
        const vote = { option_id: made.poll.options[at]?.id }
        await admin.call('POST', `/messages/${messageId}/polls/${made.poll.id}/vote`, { vote }, who)
      }
    }
    return made.poll.id
  }
  await poll(
    'priya',
    { jonas: [0], hana: [0], nadia: [1] },
    {
      name: 'Where do we field-test 4.2?',
      of: ['Dolina Kościeliska, Tatry', 'Иле-Алатау, Алматы', 'Sächsische Schweiz'],
      enforce_unique_vote: true,
      allow_user_suggested_options: true,
      allow_answers: true,
    },
  )
  await poll(
    'ola',
    { ola: [0, 1], luis: [0], priya: [2] },
    {
      name: 'Which layers ship in the winter pack?',
      of: ['Avalanche bulletin', 'Ski-touring routes', 'Huts open in winter'],
      max_votes_allowed: 2,
    },
  )
  await poll(
    'nadia',
    { ola: [0], timur: [0], tomasz: [1] },
    {
      name: 'Какой вариант текста выбираем? Który wariant tekstu wybieramy?',
      of: [
        'Szlak zamknięty do odwołania z powodu prac leśnych, obejście oznaczono kolorem żółtym',
        'Тропа закрыта до особого распоряжения, обход отмечен жёлтым цветом',
      ],
      enforce_unique_vote: true,
    },
  )
  const closed = await poll(
    'priya',
    { ola: [0], jonas: [0], hana: [1] },
    {
      name: 'Was the last release stressful?',
      of: ['Not at all', 'A little'],
      voting_visibility: 'anonymous',
    },
  )
  await admin.call('PATCH', `/polls/${closed}`, { set: { is_closed: true }, user_id: 'priya' }, 'priya')
}

/** Stores a demo file under the channel and returns its address. */
async function upload(url: string, name: string, kind: 'image' | 'file'): Promise<string> {
  const form = new FormData()
  const bytes = new Uint8Array(readFileSync(join('resources/demo', name)))
  form.set('file', new Blob([bytes], { type: kind === 'image' ? 'image/png' : 'text/csv' }), name)
  const token = await new SignJWT({ server: true })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(SECRET))
  const query = new URLSearchParams({ api_key: API_KEY, user_id: 'ola' })
  const answer = await fetch(`${url}${PATH}/${kind}?${query.toString()}`, {
    method: 'POST',
    headers: { authorization: token, 'stream-auth-type': 'jwt' },
    body: form,
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${kind} ${name}: ${answer.status} ${text}`)
  return (JSON.parse(text) as { file: string }).file
}
