import { useTexts } from '../../../i18n/index.ts'
import { MomentDialog } from '../../../ui/Dates/MomentDialog.tsx'

type Props = {
  /** The current time of sending, epoch milliseconds. */
  readonly start?: number
  readonly onChoose: (at: number) => void
  readonly onClose: () => void
}

/** Chooses a day and a time to send at, with a note that Parlor must be open then. */
export function ScheduleDialog(props: Props) {
  const t = useTexts('composer')
  return (
    <MomentDialog
      {...props}
      title={t('later.title')}
      confirm={t('later.confirm')}
      result={(time) => t('later.at', { time })}
      note={t('later.note')}
    />
  )
}
