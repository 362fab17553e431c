import type { GenericSchema } from 'valibot'
import { adminExamples } from '../contract/conformance/examples/examples-admin.ts'
import { campaignExamples } from '../contract/conformance/examples/examples-campaigns.ts'
import { channelExamples } from '../contract/conformance/examples/examples-channels.ts'
import { messageExamples } from '../contract/conformance/examples/examples-messages.ts'
import { moderationExamples } from '../contract/conformance/examples/examples-moderation.ts'
import { peopleExamples } from '../contract/conformance/examples/examples-people.ts'
import { talkExamples } from '../contract/conformance/examples/examples-talk.ts'
import { faultsOf } from '../contract/conformance/faults.ts'

const EXAMPLES = [
  adminExamples,
  campaignExamples,
  channelExamples,
  messageExamples,
  moderationExamples,
  peopleExamples,
  talkExamples,
].flat()

/** What a successful response of a call contains, by `POST /channels`. */
const replySchemas: ReadonlyMap<string, GenericSchema> = new Map(
  EXAMPLES.flatMap(({ route, reply, refused }) => (refused ? [] : [[route, reply] as const])),
)

/**
 * Parts of a successful response that have another type than the contract says. What is missing or null is not checked:
 * the examples' schemas also require what only their own requests cause.
 */
export const wrongKinds = (route: string, reply: object): string[] => {
  const schema = replySchemas.get(route)
  return schema
    ? faultsOf(schema, reply).filter((fault) => fault.includes('Invalid type') && !fault.endsWith('received null'))
    : []
}

/** Traces of the inside of the server: stacks, statements, folders, types of errors. */
const LEAKS = [
  /\bat \w[\w.<> ]* \(/,
  /node:internal|node_modules|file:\/\//,
  /SQLITE_|SqliteError|UNIQUE constraint|no such (?:table|column)|FOREIGN KEY/,
  /\b(?:SELECT .+ FROM|INSERT INTO|UPDATE \w+ SET|DELETE FROM)\b/,
  /\/(?:work|tmp|home|Users|root)\/|server\.db|parlor-(?:calls|server)-/,
  /TypeError|RangeError|SyntaxError|ReferenceError|Cannot read prop|is not a function|\[object Object\]/,
]

export const leaksIn = (text: string): string[] => LEAKS.flatMap((leak) => leak.exec(text)?.[0] ?? [])
