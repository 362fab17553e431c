import { AppError } from '#shared/lib/app-error.ts'
import { queryDistinctChannel } from '#shared/wire/channels.ts'
import { sendMessage } from '#shared/wire/messages.ts'
import type { Api } from '#main/engine/api/client.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { Translate } from '../texts.ts'

type Newcomer = { readonly id: string; readonly name: string }

/** Who greets in the release channel, and who writes a direct message. Both are people of the demo's seed. */
const GREETER = 'jonas'
const CORRESPONDENT = 'priya'
const RELEASE = { type: 'team', id: 'release-4-2' }

/**
 * The demo notices a newcomer: a mention that says what to try, and a direct message to answer. A refusal is only logged:
 * the newcomer is in the demo already.
 */
export async function greetInDemo(api: Api, newcomer: Newcomer, translate: Translate, log: Logger): Promise<void> {
  const { id, name } = newcomer
  try {
    await api.send(sendMessage, {
      params: RELEASE,
      body: {
        message: { text: translate('session', 'demo.greeting', { name }), user_id: GREETER, mentioned_users: [id] },
      },
    })
    const { channel } = await api.send(queryDistinctChannel, {
      params: { type: 'messaging' },
      body: { data: { members: [CORRESPONDENT, id], created_by_id: CORRESPONDENT } },
    })
    if (channel === undefined) return
    await api.send(sendMessage, {
      params: { type: channel.type, id: channel.id },
      body: { message: { text: translate('session', 'demo.letter', { name }), user_id: CORRESPONDENT } },
    })
  } catch (error) {
    log.warn('greeting-failed', { code: error instanceof AppError ? error.code : 'unknown' })
  }
}
