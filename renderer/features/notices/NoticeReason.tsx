import type { Notice } from '#shared/domain/notice.ts'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import styles from './Notices.module.css'

/** Rules of uploads, of the channel or of the composer that refused a file. */
const RULES = [
  'allowed_file_extensions',
  'blocked_file_extensions',
  'allowed_mime_types',
  'blocked_mime_types',
  'size_limit',
  'capability',
  'slots',
] as const
const isRule = (reason: string): reason is (typeof RULES)[number] => RULES.some((rule) => rule === reason)

/** The reason and the file, if the notice has them: its agreed text has neither. */
export function NoticeReason({ notice }: { readonly notice: Notice }) {
  const t = useTexts('notices')
  const errorText = useErrorText()
  const { reason, name } = notice.params ?? {}
  if (typeof reason !== 'string') return null
  const text = isRule(reason) ? t(`reasons.${reason}`) : errorText({ code: reason })
  // The reason would repeat the notice.
  if (text === errorText(notice)) return null
  return (
    <p className={styles['reason']}>
      {typeof name === 'string' && name !== '' ? t('why', { name, reason: text }) : text}
    </p>
  )
}
