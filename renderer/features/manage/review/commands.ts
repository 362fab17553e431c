import type { EngineClient } from '#shared/bridge/index.ts'
import type { ReviewItem } from '#shared/domain/manage/review.ts'
import { command } from '../../../store/command.ts'
import type { Thunk } from '../../../store/store.ts'
import { dialogOpened, placeOpened } from '../../../store/window/ui.ts'

type Input<Name extends keyof EngineClient['review']> = Parameters<EngineClient['review'][Name]>[0]

/** Quiet: the error is shown in place of what was loaded. */
const quiet = { quiet: true }

export const loadQueue = command('review/asked', (input: Input<'list'>, engine) => engine.review.list(input), quiet)
export const loadItems = command(
  'review/itemsAsked',
  (input: Input<'items'>, engine) => engine.review.items(input),
  quiet,
)
export const loadReports = command(
  'review/reportsAsked',
  (input: Input<'reports'>, engine) => engine.review.reports(input),
  quiet,
)
export const loadContext = command(
  'review/contextAsked',
  (input: Input<'context'>, engine) => engine.review.context(input),
  quiet,
)
export const loadAuthor = command(
  'review/authorAsked',
  (input: Input<'author'>, engine) => engine.review.author(input),
  quiet,
)
export const loadSameText = command(
  'review/sameTextAsked',
  (input: Input<'sameText'>, engine) => engine.review.sameText(input),
  quiet,
)
export const gatherItems = command('review/gathered', (input: Input<'gather'>, engine) => engine.review.gather(input))
export const loadMine = command('review/mineAsked', (input: Input<'mine'>, engine) => engine.review.mine(input), quiet)
export const refreshQueue = command('review/refreshed', (_input: undefined, engine) => engine.review.refresh(), quiet)
export const decide = command('review/decided', (input: Input<'decide'>, engine) => engine.review.decide(input))

/** The bridge takes this many at once. */
export const MOST_AT_ONCE = 100

const undo = command('review/undone', (input: Input<'undo'>, engine) => engine.review.undo(input))

/** Takes decisions back. Resolves with how many could be. */
export const undoDecisions =
  (ids: readonly string[]): Thunk<Promise<number>> =>
  async (dispatch) => {
    let count = 0
    for (let at = 0; at < ids.length; at += MOST_AT_ONCE) {
      const undone = await dispatch(undo({ ids: ids.slice(at, at + MOST_AT_ONCE) }))
      if (undone.ok) count += undone.value.undone
    }
    return count
  }

/** Opens the message in its channel or thread, or the profile of the person. */
export const openItem =
  ({ cid, messageId, parentId, authorId }: Pick<ReviewItem, 'cid' | 'messageId' | 'parentId' | 'authorId'>): Thunk =>
  (dispatch) => {
    if (cid !== undefined && messageId !== undefined) dispatch(placeOpened({ cid, parentId, messageId }))
    else if (authorId !== undefined) dispatch(dialogOpened({ kind: 'person', userId: authorId }))
  }
