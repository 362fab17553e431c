import { isChosen } from '#shared/rules/channels/chosen-channels.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { selectSession, selectSettings } from '../../store/selectors.ts'

/** Whether images, videos and link previews of this channel are hidden, and loaded only when unfolded one by one. */
export const useHidesMedia = (cid: Cid | undefined): boolean =>
  useAppSelector((state) => cid !== undefined && isChosen(selectSettings(state).hiddenMedia, selectSession(state), cid))

const MAX = 500
const unfolded = new Set<string>()

/** Whether an attachment is unfolded, so that a row that scrolls back into view is as it was. `ref`: see `mediaRef`. */
export const isUnfolded = (ref: string): boolean => unfolded.has(ref)

export function setUnfolded(ref: string, isOpen: boolean): void {
  unfolded.delete(ref)
  if (isOpen) unfolded.add(ref)
  const oldest = unfolded.size > MAX ? unfolded.values().next().value : undefined
  if (oldest !== undefined) unfolded.delete(oldest)
}
