import type { Cid } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'
import type { OpenAt } from '../messages/index.ts'

/** Errors are shown by the list. */
const quiet = { quiet: true }

export const openContext = command(
  'search/contextOpened',
  (input: { readonly cid: Cid } & OpenAt, engine) => engine.channels.open(input),
  quiet,
)
export const closeContext = command(
  'search/contextClosed',
  (input: { readonly cid: Cid }, engine) => engine.channels.close(input),
  quiet,
)
export const pageContext = command(
  'search/contextPaged',
  (input: { readonly cid: Cid; readonly direction: 'older' | 'newer' }, engine) => engine.channels.page(input),
  quiet,
)
