import { isPrintable, keyOf, type Chord } from '../../lib/text/chords.ts'

const FIELD = 'input, textarea, select, [contenteditable], dialog, [popover]'

/** A row of a list has the focus: letters there are shortcuts, not text. */
const isOnRow = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest(FIELD) === null &&
  target.closest('[data-message-id], [data-roving-id]') !== null

/** A single symbol is a shortcut on a row, and text everywhere else. */
export const countsHere = (chord: Chord, target: EventTarget | null): boolean => chord.length > 1 || isOnRow(target)

const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'])

/** How long the first letter of a sequence waits for the second, in milliseconds. */
const SEQUENCE_TIMEOUT_MS = 800

type Options = {
  /** The sequences in use, such as `G T`. */
  readonly chords: () => readonly Chord[]
  readonly run: (chord: Chord) => void
  /** The letter did not begin a sequence: types it where it would have been. Returns whether there is such a place. */
  readonly type: (letter: string, target: EventTarget | null) => boolean
}

type KeySequences = {
  /** `used`: part of a sequence. `text`: typed after a letter that was typed too, so rows must not handle it. */
  handle(event: KeyboardEvent): 'used' | 'text' | undefined
  stop(): void
}

/** Sequences of two letters pressed on a row, such as `G T`, for hosts where other keys are taken by the browser. */
export function createKeySequences({ chords, run, type }: Options): KeySequences {
  let waiting: { readonly letter: string; readonly target: EventTarget | null } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): boolean => {
    clearTimeout(timer)
    const was = waiting
    waiting = undefined
    return was !== undefined && type(was.letter, was.target)
  }
  return {
    handle(event) {
      if (MODIFIERS.has(event.key)) return undefined
      if (!isPrintable(event)) {
        flush()
        return undefined
      }
      const letter = keyOf(event).toUpperCase()
      const chord = waiting && chords().find((each) => each === `${waiting?.letter.toUpperCase()} ${letter}`)
      if (chord !== undefined) {
        clearTimeout(timer)
        waiting = undefined
        run(chord)
        return 'used'
      }
      if (flush()) return 'text'
      if (!isOnRow(event.target) || !chords().some((each) => each.startsWith(`${letter} `))) return undefined
      waiting = { letter: event.key, target: event.target }
      timer = setTimeout(flush, SEQUENCE_TIMEOUT_MS)
      return 'used'
    },
    stop: () => clearTimeout(timer),
  }
}
