import type { PollChange } from '#shared/domain/poll.ts'
import { shownText } from '#shared/lib/clean-text.ts'
import { useTexts, useFormats } from '../../../i18n/index.ts'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { useMinute } from '../../../lib/time/clocks.ts'
import styles from '../Dialogs.module.css'

/** Changes of a poll since this device first stored it, newest first. */
export function ChangesDialog({
  changes,
  onClose,
}: {
  readonly changes: readonly PollChange[]
  readonly onClose: () => void
}) {
  const t = useTexts('polls')
  return (
    <Dialog title={t('changes.title')} width={480} onClose={onClose}>
      <ChangeList changes={changes} />
      <DialogText muted>{t('changes.seenHere')}</DialogText>
    </Dialog>
  )
}

type Props = {
  /** A time of 0 is not shown; the change is not saved yet. */
  readonly changes: readonly PollChange[]
  readonly merged?: readonly { readonly option: string; readonly into: string }[]
  readonly added?: readonly string[]
}

/** Changes of a poll as text. */
export function ChangeList({ changes, merged = [], added = [] }: Props) {
  const t = useTexts('polls')
  const formats = useFormats()
  const now = useMinute()
  return (
    <ul className={styles['changes']}>
      {changes.map((change, index) => (
        <li key={index} dir="auto">
          {textOf(t, change)}
          {change.at === 0 ? null : (
            <time className={styles['note']} dateTime={new Date(change.at).toISOString()}>
              {formats.listTime(change.at, now)}
            </time>
          )}
        </li>
      ))}
      {merged.map(({ option, into }) => (
        <li key={option} dir="auto">
          {t('changes.merged', { option: shownText(option), into: shownText(into) })}
        </li>
      ))}
      {added.map((option) => (
        <li key={option} dir="auto">
          {t('changes.added', { option: shownText(option) })}
        </li>
      ))}
    </ul>
  )
}

function textOf(t: ReturnType<typeof useTexts<'polls'>>, change: PollChange): string {
  if (change.what === 'removed') return t('changes.removed', { option: shownText(change.before) })
  const [before, after] = [shownText(change.before), shownText(change.after)]
  if (change.what === 'description' && before === '') return t('changes.described', { after })
  if (change.what === 'description' && after === '') return t('changes.undescribed', { before })
  return t(`changes.${change.what}`, { before, after })
}
