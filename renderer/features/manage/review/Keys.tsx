import type { KeyboardEvent } from 'react'
import type { ReviewItem } from '#shared/domain/manage/review.ts'
import { toggled } from '../../../ui/Table/Table.tsx'
import { useAppDispatch, useSetting } from '../../../store/hooks.ts'
import { dialogOpened, dialogClosed } from '../../../store/window/ui.ts'
import { useTexts } from '../../../i18n/index.ts'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { Keys } from '../../../ui/Keys/Keys.tsx'
import { openItem } from './commands.ts'
import type { Decisions } from './use-queue.ts'
import styles from './Review.module.css'

type Options = {
  readonly rows: readonly ReviewItem[]
  readonly open: ReviewItem | undefined
  readonly selected: ReadonlySet<string>
  readonly onSelect: (ids: ReadonlySet<string>) => void
  readonly onOpen: (id: string) => void
  readonly decisions: Decisions
}

/** Keys of the list, its rows and the message: J, K, A, D, B, M, X, U, Enter, ?; not in fields and on buttons. */
export function useReviewKeys(options: Options): (event: KeyboardEvent) => void {
  const { rows, open, selected, onSelect, onOpen, decisions } = options
  const dispatch = useAppDispatch()
  const letterKeys = useSetting('letterKeys')
  const items = selected.size > 0 ? rows.filter(({ id }) => selected.has(id)) : open === undefined ? [] : [open]
  const at = rows.findIndex(({ id }) => id === open?.id)
  const step = (by: 1 | -1, extends_: boolean): void => {
    const next = rows[at + by]
    if (next === undefined) return
    if (extends_) onSelect(new Set([...selected, ...(open === undefined ? [] : [open.id]), next.id]))
    onOpen(next.id)
  }
  const keys: Readonly<Record<string, (shift: boolean) => void>> = {
    j: (shift) => step(1, shift),
    k: (shift) => step(-1, shift),
    a: () => decisions.start('approve', items),
    d: () => decisions.start('delete', items),
    b: () => decisions.start('ban', items),
    m: () => open && decisions.mute(open),
    x: () => open && onSelect(toggled(selected, open.id)),
    u: () => void decisions.undoLast(),
    '?': () => dispatch(dialogOpened({ kind: 'reviewKeys' })),
    Enter: () => open && dispatch(openItem(open)),
  }
  return (event) => {
    if (event.defaultPrevented || event.nativeEvent.isComposing || !isPlace(event.target)) return
    if (event.ctrlKey && event.code === 'KeyA' && !event.altKey && !event.metaKey) {
      onSelect(new Set(rows.map(({ id }) => id)))
    } else if (event.ctrlKey || event.altKey || event.metaKey) {
      return
    } else if (event.key === 'Escape' && selected.size > 0) {
      onSelect(new Set())
    } else {
      const key = letterOf(event)
      if (!letterKeys && key.length === 1) return
      if (!Object.hasOwn(keys, key) || (event.shiftKey && !['j', 'k', '?'].includes(key))) return
      keys[key]?.(event.shiftKey)
    }
    event.preventDefault()
    event.stopPropagation()
  }
}

/** The letter of the key on layouts without Latin letters too. */
function letterOf({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase()
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  return letter === undefined || /^[?]$/.test(key) ? key : letter.toLowerCase()
}

/** Fields take letters, and buttons Enter, themselves. */
const isPlace = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('input, textarea, select, button, a, [contenteditable]') === null

/** All keys of the review queue. */
export function KeysDialog() {
  const t = useTexts('review')
  const dispatch = useAppDispatch()
  const keys = [
    [['J'], t('keys.next')],
    [['K'], t('keys.previous')],
    [['A'], t('keys.approve')],
    [['D'], t('keys.delete')],
    [['B'], t('keys.ban')],
    [['M'], t('keys.mute')],
    [['X'], t('keys.select')],
    [['Shift', 'J', 'K'], t('keys.extend')],
    [['Ctrl', 'A'], t('keys.all_loaded')],
    [['Esc'], t('keys.clear')],
    [['Enter'], t('keys.open')],
    [['U'], t('keys.undo')],
    [['?'], t('keys.all')],
  ] as const
  return (
    <Dialog title={t('keys.title')} width={400} onClose={() => dispatch(dialogClosed())}>
      <DialogText muted>{t('keys.hint')}</DialogText>
      <dl className={styles['keyList']}>
        {keys.map(([names, text]) => (
          <div key={text}>
            <dt>{text}</dt>
            <dd>
              <Keys keys={names} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
