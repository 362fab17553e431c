import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '#main/server/http/auth/identify.ts'
import { createBlocklist } from '#shared/wire/admin.ts'
import { queryChannel } from '#shared/wire/channels.ts'
import type { Endpoint, ParamsOf } from '#shared/wire/endpoint.ts'
import { getMessage, sendMessage } from '#shared/wire/messages.ts'
import {
  checkEntity,
  customCheckEntity,
  deleteModerationConfig,
  deleteModerationRule,
  flagEntity,
  getModerationConfig,
  getModerationRule,
  getUserReport,
  muteUsersV2,
  queryModerationConfigs,
  queryModerationRules,
  queryReviewQueue,
  submitModerationAction,
  unmuteUsersV2,
  upsertModerationConfig,
  upsertModerationRule,
} from '#shared/wire/moderation.ts'
import { callAs, SECRET, startTestServer, type Client, type TestServer } from '../kit.ts'

let server: TestServer
let root: Client
let ann: Client
let bob: Client

beforeAll(async () => {
  server = await startTestServer()
  root = await server.connect('root')
  ann = await server.connect('ann')
  bob = await server.connect('bob')
})
afterAll(() => server.stopAll())

const admin = <E extends Endpoint>(endpoint: E, params: ParamsOf<E>, body: object = {}, query: object = {}) =>
  callAs(server.url, { userId: '', token: createToken({}, SECRET) }, endpoint, params, { body, query })

const MESSAGE = 'stream:chat:v1:message'

let count = 0
async function sent() {
  const params = { type: 'messaging', id: `v${(count += 1)}` }
  await ann.call(queryChannel, params, { body: { data: { members: ['ann', 'bob'] }, watch: true } })
  const { message } = (await bob.call(sendMessage, params, { body: { message: { text: 'hm' } } })).body
  return { params, id: message.id, cid: `messaging:${params.id}` }
}

test('a flagged message waits in the queue until a moderator deletes it', async () => {
  const { id } = await sent()
  const body = { entity_type: MESSAGE, entity_id: id, entity_creator_id: '', reason: 'spam' }
  const flagged = await ann.call(flagEntity, {}, { body })
  expect(flagged.status).toBe(201)
  const queue = async (who: Client) =>
    who.call(queryReviewQueue, {}, { body: { filter: { entity_id: id }, sort: [], limit: 5 } })
  expect((await ann.call(queryReviewQueue, {})).body.code).toBe(17)
  const [item] = (await queue(root)).body.items
  expect(item?.id).toEqual(flagged.body.item_id)
  expect(item?.status).toBe('needs_review')
  expect(item?.entity_creator_id).toBe('bob')
  expect(item?.flags_count).toBe(1)
  const act = (action: object) => root.call(submitModerationAction, {}, { body: { item_id: item?.id, ...action } })
  expect((await act({ action_type: 'end_call' })).body.code).toBe(4)
  const done = await act({ action_type: 'delete_message', delete_message: { hard_delete: false } })
  expect(done.body.item?.status).toBe('reviewed')
  expect(done.body.item?.latest_moderator_action).toBe('delete_message')
  expect((await ann.call(getMessage, { id })).body.message.type).toBe('deleted')
  await act({ action_type: 'restore' })
  expect((await ann.call(getMessage, { id })).body.message.type).toBe('regular')
})

test('a moderator bans and unbans the user an item is about', async () => {
  const { id, params, cid } = await sent()
  const { body } = await ann.call(flagEntity, {}, { body: { entity_type: MESSAGE, entity_id: id, reason: 'x' } })
  const act = (action: object) => root.call(submitModerationAction, {}, { body: { item_id: body.item_id, ...action } })
  await act({ action_type: 'ban', ban: { channel_cid: cid, reason: 'rude' } })
  expect((await bob.call(sendMessage, params, { body: { message: { text: 'x' } } })).body.code).toBe(17)
  await act({ action_type: 'unban', unban: { channel_cid: cid } })
  expect((await bob.call(sendMessage, params, { body: { message: { text: 'x' } } })).status).toBe(201)
})

test('mutes of the newer endpoints are those of the older ones', async () => {
  const muted = await ann.call(muteUsersV2, {}, { body: { target_ids: ['bob'] } })
  expect(muted.status).toBe(201)
  expect(muted.body.mutes?.[0]?.target.id).toBe('bob')
  const report = await admin(getUserReport, {}, {}, { user_id: 'ann', include_user_mutes: true })
  expect(report.body.user_mutes?.map((mute) => mute.target.id)).toEqual(['bob'])
  expect((await ann.call(getUserReport, {})).body.code).toBe(17)
  expect((await ann.call(unmuteUsersV2, {}, { body: { target_ids: ['bob'] } })).status).toBe(201)
})

test('a check looks for listed words, and only what is not a test waits in the queue', async () => {
  await admin(createBlocklist, {}, { name: 'bad', words: ['grr'] })
  const check = (texts: string[], more: object = {}) =>
    ann.call(
      checkEntity,
      {},
      {
        body: { entity_type: 'stream:v1:user_profile', entity_id: 'ann', moderation_payload: { texts }, ...more },
      },
    )
  expect((await check(['fine'])).body.recommended_action).toBe('keep')
  expect((await check(['oh Grr'], { test_mode: true })).body).toMatchObject({
    status: 'complete',
    recommended_action: 'flag',
  })
  expect((await check(['grr'])).body).toEqual(expect.not.objectContaining({ item: expect.anything() }))
  const queued = await root.call(queryReviewQueue, {}, { body: { filter: { entity_id: 'ann' } } })
  expect(queued.body.items.map((item) => item.entity_id)).toEqual(['ann'])
  await admin(
    upsertModerationConfig,
    {},
    {
      key: 'strict',
      block_list_config: { rules: [{ name: 'bad', action: 'remove' }] },
    },
  )
  expect((await check(['grr'], { config_key: 'strict', test_mode: true })).body.recommended_action).toBe('remove')
  const custom = await admin(
    customCheckEntity,
    {},
    {
      entity_type: MESSAGE,
      entity_id: 'elsewhere',
      flags: [{ type: 'toxic' }],
    },
  )
  expect(custom.status).toBe(201)
  expect(custom.body.item.flags_count).toBe(1)
})

test('configurations and rules are stored by name for administrators', async () => {
  expect((await ann.call(upsertModerationConfig, {}, { body: { key: 'k' } })).body.code).toBe(17)
  await admin(upsertModerationConfig, {}, { key: 'k', automod: { enabled: true } })
  expect((await admin(getModerationConfig, { key: 'k' })).body.config).toMatchObject({ key: 'k', automod: {} })
  const keys = (await admin(queryModerationConfigs, {}, { filter: { key: 'k' }, sort: [] })).body.configs
  expect(keys.map(({ key }) => key)).toEqual(['k'])
  await admin(upsertModerationConfig, {}, { key: 'k', team: 'red', automod: { enabled: false } })
  const red = (await admin(getModerationConfig, { key: 'k' }, {}, { team: 'red' })).body.config
  expect(red).toMatchObject({ key: 'k', team: 'red', automod: { enabled: false } })
  expect((await admin(getModerationConfig, { key: 'k' })).body.config).toMatchObject({ automod: { enabled: true } })
  const both = (await admin(queryModerationConfigs, {}, { filter: { key: 'k' }, sort: [] })).body.configs
  expect(both.map((config) => [config.key, config['team']])).toEqual([
    ['k', undefined],
    ['k', 'red'],
  ])
  await admin(deleteModerationConfig, { key: 'k' })
  expect((await admin(getModerationConfig, { key: 'k' })).body.code).toBe(16)
  const { rule } = (await admin(upsertModerationRule, {}, { name: 'three strikes', enabled: true })).body
  expect((await admin(getModerationRule, { id: rule.id })).body.rule['name']).toBe('three strikes')
  expect((await admin(queryModerationRules, {}, { filter: {} })).body.rules.length).toBe(1)
  expect((await admin(deleteModerationRule, { id: rule.id })).status).toBe(200)
})
