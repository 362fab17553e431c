import { useFormats, useTexts } from '../../i18n/index.ts'

/** The time fields of a message: see `Message.timeUnsure`. */
type Written = { readonly createdAt: number; readonly timeUnsure?: boolean }

/** When a message was written, as text, or that the time is unknown because the server sent no credible one. */
export function useWhen(): (message: Written, format: (at: number) => string) => string {
  const t = useTexts('common')
  return (message, format) => (message.timeUnsure === true ? t('timeUnknown') : format(message.createdAt))
}

type Props = {
  readonly message: Written
  readonly format: (at: number) => string
  readonly className?: string
}

/** The same next to a message. */
export function MessageTime({ message, format, className }: Props) {
  const when = useWhen()(message, format)
  const { full } = useFormats()
  const { createdAt, timeUnsure } = message
  if (timeUnsure === true) return <span className={className}>{when}</span>
  return (
    <time className={className} dateTime={new Date(createdAt).toISOString()} title={full(createdAt)}>
      {when}
    </time>
  )
}
