import { useTexts } from '../../../i18n/index.ts'
import { MomentDialog } from '../../../ui/Dates/MomentDialog.tsx'

type Props = {
  /** The time it has already. Epoch milliseconds. */
  readonly start?: number
  readonly onChoose: (at: number) => void
  readonly onClose: () => void
}

/** A day and a time to send at, and what has to be so for it to happen. */
export function ScheduleDialog(props: Props) {
  const t = useTexts('composer')
  return (
    <MomentDialog
      {...props}
      title={t('later.title')}
      confirm={t('later.confirm')}
      result={(time) => t('later.at', { time })}
      note={t('later.honest')}
    />
  )
}
