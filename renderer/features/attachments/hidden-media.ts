import { isChosen } from '#shared/rules/channels/chosen-channels.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { selectSession, selectSettings } from '../../store/selectors.ts'

/** Whether images, videos and link previews of this channel are hidden, and loaded only when unfolded one by one. */
export const useHidesMedia = (cid: Cid | undefined): boolean =>
  useAppSelector((state) => cid !== undefined && isChosen(selectSettings(state).hiddenMedia, selectSession(state), cid))

const MAX = 500
const asked = new Set<string>()

/** Whether an attachment is unfolded, so that a row that scrolls back into view is as it was. `ref`: see `mediaRef`. */
export const isUnfolded = (ref: string): boolean => asked.has(ref)

export function setUnfolded(ref: string, isOpen: boolean): void {
  asked.delete(ref)
  if (isOpen) asked.add(ref)
  const oldest = asked.size > MAX ? asked.values().next().value : undefined
  if (oldest !== undefined) asked.delete(oldest)
}
