import type { Format } from '../format/markdown.ts'

export type ComposerAction =
  | { readonly kind: 'send' }
  | { readonly kind: 'newLine' }
  | { readonly kind: 'sendMenu' }
  | { readonly kind: 'format'; readonly format: Format }
  | { readonly kind: 'emoji' }
  | { readonly kind: 'attach' }
  | { readonly kind: 'preview' }
  /** `always`: also when the field is not empty. */
  | { readonly kind: 'editLast'; readonly always: boolean }
  /** Down at the end of an unchanged edit. */
  | { readonly kind: 'leaveEdit' }
  /** In an empty field: withdraws the message that can still be undone. Otherwise the field's own undo. */
  | { readonly kind: 'undo' }
  | { readonly kind: 'cancel' }

export type Chord = {
  readonly key: string
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
}

type Keyboard = { readonly enterSends: boolean; readonly mac: boolean }

/** The composer's keys; some actions have two. */
const WITH_MOD: Readonly<Record<string, ComposerAction>> = {
  b: { kind: 'format', format: 'bold' },
  i: { kind: 'format', format: 'italic' },
  e: { kind: 'emoji' },
  u: { kind: 'attach' },
  z: { kind: 'undo' },
}
const WITH_MOD_SHIFT: Readonly<Record<string, ComposerAction>> = {
  x: { kind: 'format', format: 'strike' },
  c: { kind: 'format', format: 'code' },
  k: { kind: 'format', format: 'codeBlock' },
  e: { kind: 'format', format: 'codeBlock' },
  u: { kind: 'format', format: 'link' },
  j: { kind: 'emoji' },
  p: { kind: 'preview' },
  '9': { kind: 'format', format: 'quote' },
  '8': { kind: 'format', format: 'bulletList' },
  '7': { kind: 'format', format: 'numberList' },
}

/** Keycaps for tooltips, without the modifier. */
export const FORMAT_KEYS: Readonly<Record<Format, readonly string[]>> = {
  bold: ['B'],
  italic: ['I'],
  strike: ['Shift', 'X'],
  code: ['Shift', 'C'],
  codeBlock: ['Shift', 'K'],
  quote: ['Shift', '9'],
  bulletList: ['Shift', '8'],
  numberList: ['Shift', '7'],
  link: ['Shift', 'U'],
}

/**
 * The action of a key in the text field; `undefined` leaves the key to the browser. Alt is never part of a shortcut:
 * AltGr types Polish letters, and Windows reports it as Ctrl and Alt.
 */
export function actionOf(chord: Chord, { enterSends, mac }: Keyboard): ComposerAction | undefined {
  if (chord.altKey) return undefined
  const mod = mac ? chord.metaKey : chord.ctrlKey
  const foreign = mac ? chord.ctrlKey : chord.metaKey
  if (foreign) return undefined
  if (chord.key === 'Enter') return enterAction(mod, chord.shiftKey, enterSends)
  if (chord.key === 'Escape') return mod || chord.shiftKey ? undefined : { kind: 'cancel' }
  if (chord.key === 'ArrowUp' && !chord.shiftKey) return { kind: 'editLast', always: mod }
  if (chord.key === 'ArrowDown' && !chord.shiftKey && !mod) return { kind: 'leaveEdit' }
  if (!mod) return undefined
  return (chord.shiftKey ? WITH_MOD_SHIFT : WITH_MOD)[characterOf(chord)]
}

function enterAction(mod: boolean, shift: boolean, enterSends: boolean): ComposerAction | undefined {
  if (mod) return { kind: shift ? 'sendMenu' : 'send' }
  return enterSends && !shift ? { kind: 'send' } : { kind: 'newLine' }
}

/** The Latin letter or digit of a key: by position where the layout writes another script, and always for digits. */
function characterOf({ key, code }: Chord): string {
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1]
  if (digit !== undefined) return digit
  if (/^[a-z]$/i.test(key)) return key.toLowerCase()
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? ''
}

/** Inside an open code fence Enter inserts a line break whatever the setting, because half a code block is never sent on purpose. */
export function isInsideFence(text: string, caret: number): boolean {
  const fences = text.slice(0, caret).match(/^```/gm)?.length ?? 0
  return fences % 2 === 1
}
