import { useFormats, useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { Faces, useNames } from '../people/index.ts'
import styles from './MessageRow.module.css'

type Props = {
  readonly readers: readonly string[]
  /** The viewer's newest message: says Sent or Seen. */
  readonly own: boolean
}

const MAX_NAMES = 4

/** Small portraits of those who have read up to here, and the mark of the viewer's newest message. */
export function ReadBy({ readers, own }: Props) {
  const t = useTexts('messages')
  const formats = useFormats()
  const names = useNames(readers.slice(0, MAX_NAMES))
  const others = readers.length - names.length
  const words =
    readers.length === 0
      ? t('status.sent')
      : others > 0
        ? t('status.seenByMore', { names: names.join(', '), count: others })
        : t('status.seenBy', { names: formats.list(names) })
  if (readers.length === 0 && !own) return null
  return (
    <Tooltip text={words} side="above">
      <div className={cx(styles['readBy'], readers.length === 0 && styles['tick'])} role="img" aria-label={words}>
        {own ? <Icon name={readers.length === 0 ? 'check' : 'check-double'} size={15} /> : null}
        {readers.length === 0 ? null : <Faces userIds={readers} size={16} />}
      </div>
    </Tooltip>
  )
}
