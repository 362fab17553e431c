import type { Os } from './text/chords.ts'

/** Where a click opens something: here, in a new window, or in the other half of this one. */
export type OpenTarget = 'here' | 'window' | 'beside'

type Press = {
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  /** The mouse button; absent for keys. */
  readonly button?: number
}

/** Ctrl (on macOS Cmd) or the middle button: a new window; Alt: the other half. */
export function openTargetOf({ ctrlKey, metaKey, altKey, shiftKey, button }: Press, os: Os): OpenTarget {
  const isMain = os === 'macos' ? metaKey : ctrlKey
  if (button === 1 || (isMain && !altKey && !shiftKey)) return 'window'
  return altKey && !ctrlKey && !metaKey && !shiftKey ? 'beside' : 'here'
}

/** Data type of a dragged sidebar row. */
export const CONVERSATION_TYPE = 'text/x-parlor-conversation'

/** The cid of the dragged row. Browsers reveal it only on drop. */
export function draggedConversation(data: DataTransfer): string | undefined {
  const cid = data.getData(CONVERSATION_TYPE)
  return cid === '' ? undefined : cid
}
