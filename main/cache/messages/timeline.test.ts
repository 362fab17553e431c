import { expect, test } from 'vitest'
import { aChannelRow, aMessageRow, CID } from '#kit/rows.ts'
import { openTestStores } from '#kit/stores.ts'
import type { MessageType } from '#shared/domain/message.ts'
import { asMessageId } from '#shared/lib/brand.ts'
import { decodeConfig } from '#main/engine/decode/channel.ts'
import * as channels from '../channels/channels.ts'
import * as timeline from './timeline.ts'

const QUIET = decodeConfig({ skip_last_msg_update_for_system_msgs: true })
const TALKATIVE = decodeConfig({})

test.each<[MessageType, typeof QUIET, number]>([
  ['regular', QUIET, 2_000],
  ['system', QUIET, 1_000],
  ['system', TALKATIVE, 2_000],
  ['system', undefined, 2_000],
  ['ephemeral', TALKATIVE, 1_000],
  ['error', TALKATIVE, 1_000],
])('a message of type %s moves its channel up, or not', (type, config, lastMessageAt) => {
  const { cache } = openTestStores()
  cache.transaction((tx) => {
    channels.put(tx, aChannelRow({ lastMessageAt: 1_000, ...(config ? { config } : {}) }))
    timeline.receive(tx, aMessageRow({ id: asMessageId('new'), createdAt: 2_000, type }), true)
  })
  expect(channels.byCid(cache.reader, CID)?.lastMessageAt).toBe(lastMessageAt)
})
