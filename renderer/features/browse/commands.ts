import type { Cid } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'
import type { Sort } from './merge.ts'

/** Quiet: the error is shown above the list. */
export const loadPage = command(
  'browse/asked',
  (input: { text: string; sort: Sort; offset: number }, engine) => engine.details.browse(input),
  { quiet: true },
)
export const loadHidden = command('browse/hiddenAsked', (_input: undefined, engine) => engine.details.hidden(), {
  quiet: true,
})
export const joinChannel = command('browse/joined', (input: { cid: Cid }, engine) => engine.channels.join(input))
export const unhideChannel = command('browse/unhidden', (input: { cid: Cid }, engine) =>
  engine.channels.hide({ ...input, hidden: false }),
)
export const answerInvite = command('browse/answered', (input: { cid: Cid; accept: boolean }, engine) =>
  engine.channels.answerInvite(input),
)
