import type { ReactNode } from 'react'
import { ACCOUNT_FILE_PARTS, type AccountFilePart, type PartCounts } from '#shared/domain/account-file.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import styles from './AccountFile.module.css'

/** The parts of an account file, each with its number or with what becomes of it. Empty parts are left out. */
export function AccountFileParts({
  title,
  parts,
}: {
  readonly title: string
  readonly parts: Readonly<Record<AccountFilePart, number | PartCounts>>
}) {
  const t = useTexts('data')
  const some = ACCOUNT_FILE_PARTS.filter((part) => totalOf(parts[part]) > 0)
  if (some.length === 0) return <p>{t('accountFile.nothing')}</p>
  return (
    <ul className={styles['parts']} aria-label={title}>
      {some.map((part) => (
        <li key={part}>
          <span>{t(`accountFile.parts.${part}`)}</span>
          <span className={styles['count']}>
            <Count count={parts[part]} />
          </span>
        </li>
      ))}
    </ul>
  )
}

const totalOf = (count: number | PartCounts): number => (typeof count === 'number' ? count : count.total)

function Count({ count }: { readonly count: number | PartCounts }): ReactNode {
  const t = useTexts('data')
  const formats = useFormats()
  if (typeof count === 'number') return formats.number(count)
  const fates = (['added', 'replaced', 'kept', 'full'] as const).filter((fate) => count[fate] > 0)
  return formats.list(fates.map((fate) => t(`accountFile.fates.${fate}`, { count: count[fate] })))
}
