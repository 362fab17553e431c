import type { PollChange } from '#shared/domain/poll.ts'
import { useTexts } from '../../../i18n/index.ts'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { ChangeList } from './ChangeList.tsx'

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
