import * as v from 'valibot'
import { pictureForm } from '../checks-transport.ts'
import { nothing, wrapped, type Example } from '../example.ts'
import { textAt, type Caller, type Json } from '../foreign.ts'
import * as s from '../shapes.ts'
import * as running from '../shapes-running.ts'
import { must, type Stage } from '../stage.ts'

const OURS = 'an extension of our own server'

/** A new user each time: uploads are counted per user and minute. */
const artist = (stage: Stage): Promise<Caller> => stage.person('ema')
const named = (stage: Stage): string => stage.id('e').toLowerCase().slice(0, 30)

async function pictureOf(as: Caller): Promise<string> {
  return textAt(await must(as.send({ method: 'POST', path: '/uploads/image', form: pictureForm('e.png') })), 'file')
}

/** Adds an emoji with a new picture. */
export async function addEmoji(stage: Stage, as: Caller): Promise<Json> {
  return must(as.post('/emoji', { name: named(stage), url: await pictureOf(as) }))
}

const about =
  (body: (stage: Stage) => Json = () => ({})) =>
  async (stage: Stage) => {
    const as = await artist(stage)
    const name = textAt(await addEmoji(stage, as), 'emoji.name')
    return { as, params: { name }, body: body(stage) }
  }

/** The call of ADR 49. */
export const integrationExamples: readonly Example[] = [
  {
    route: 'POST /integrations',
    make: (stage) => ({ as: stage.server, body: { action: 'list' } }),
    reply: v.looseObject({ integrations: s.list(v.looseObject({ id: s.id })) }),
    localOnly: OURS,
  },
]

/** The calls of ADR 19. */
export const emojiExamples: readonly Example[] = [
  {
    route: 'GET /emoji',
    make: about(),
    reply: wrapped({ emoji: s.list(running.emoji), version: s.id }),
    localOnly: OURS,
  },
  {
    route: 'POST /emoji',
    async make(stage) {
      const as = await artist(stage)
      return { as, body: { name: named(stage), url: await pictureOf(as) } }
    },
    reply: wrapped({ emoji: running.emoji }),
    optional: { aliases: 'list', user_id: 'text' },
    localOnly: OURS,
  },
  {
    route: 'PUT /emoji/:name',
    make: about((stage) => ({ aliases: [named(stage)] })),
    reply: wrapped({ emoji: running.emoji }),
    optional: { name: 'text' },
    localOnly: OURS,
  },
  { route: 'DELETE /emoji/:name', make: about(), reply: nothing, localOnly: OURS },
]
