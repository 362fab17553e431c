import { isPrintable, keyOf, type Chord } from '../../lib/text/chords.ts'

const FIELD = 'input, textarea, select, [contenteditable], [aria-modal="true"], [role="menu"]'

/** A row of a list has the focus: letters are keys there, and not words. */
const isOnRow = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest(FIELD) === null &&
  target.closest('[data-message-id], [data-roving-id]') !== null

/** A symbol alone is a key on a row, and a word everywhere else. */
export const countsHere = (chord: Chord, target: EventTarget | null): boolean => chord.length > 1 || isOnRow(target)

const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'])

/** How long a letter waits for the one that makes a chord of two, in milliseconds. */
const PATIENCE_MS = 800

type Options = {
  /** The letters of two that mean something now, as `G T`. */
  readonly chords: () => readonly Chord[]
  readonly run: (chord: Chord) => void
  /** It was no chord: the letter is typed where it would have been. Answers whether there is such a place. */
  readonly type: (letter: string, target: EventTarget | null) => boolean
}

type TwoLetters = {
  /** `used`: a key of such a chord. `words`: no row is to hear of it, it follows a letter that was typed after all. */
  hear(event: KeyboardEvent): 'used' | 'words' | undefined
  stop(): void
}

/** Two letters one after the other on a row, for windows that cannot have every other key. */
export function createTwoLetters({ chords, run, type }: Options): TwoLetters {
  let waiting: { readonly letter: string; readonly target: EventTarget | null } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const give = (): boolean => {
    clearTimeout(timer)
    const was = waiting
    waiting = undefined
    return was !== undefined && type(was.letter, was.target)
  }
  return {
    hear(event) {
      if (MODIFIERS.has(event.key)) return undefined
      if (!isPrintable(event)) {
        give()
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
      if (give()) return 'words'
      if (!isOnRow(event.target) || !chords().some((each) => each.startsWith(`${letter} `))) return undefined
      waiting = { letter: event.key, target: event.target }
      timer = setTimeout(give, PATIENCE_MS)
      return 'used'
    },
    stop: () => clearTimeout(timer),
  }
}
