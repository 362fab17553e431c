import { asCid, type MessageId } from '#shared/lib/brand.ts'
import { aLoneEngine, aWireMessage, aWireUser, CID, FakeApi, withChannel } from './lone-engine.ts'

const cid = asCid(CID)
export type SentBody = { message: { id: string; text: string } }

/** Responds to a send the way the server does, each a second later. */
export function echoing(api: FakeApi): FakeApi {
  let count = 0
  return api.on('SendMessage', ({ body }) => {
    count += 1
    const { id, text } = (body as SentBody).message
    return { message: aWireMessage(id, 100_000 + count * 1_000, { text, user: aWireUser('me') }) }
  })
}

export type Lone = Awaited<ReturnType<typeof aLoneEngine>>

/** Online, with the channel open on screen. */
export async function reading(messages = [aWireMessage('m1', 1)], api = echoing(withChannel(new FakeApi(), messages))) {
  const lone = await aLoneEngine({ api })
  await lone.online()
  await open(lone)
  return lone
}

export async function open(lone: Lone): Promise<void> {
  await lone.engine.handlers.channels.open({ cid, around: undefined }, lone.client)
  await lone.clock.settle()
}

type SendMore = {
  uploadIds?: string[]
  parentId?: MessageId
  quotedId?: MessageId
  sendAt?: number
  undoForMs?: number
  previewUrls?: string[]
  skipEnrich?: boolean
  split?: boolean
  whenReady?: boolean
  keepsDraft?: boolean
}

export async function send(lone: Lone, text: string, more: SendMore = {}) {
  const input = {
    cid,
    text,
    showInChannel: false,
    mentionedUserIds: [],
    uploadIds: [],
    files: [],
    quotedId: undefined,
    whenReady: false,
  }
  const id = await lone.engine.handlers.messages.send({ ...input, parentId: undefined, ...more }, lone.client)
  await lone.clock.settle()
  return id
}
