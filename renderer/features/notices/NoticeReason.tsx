import type { Notice } from '#shared/domain/notice.ts'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import styles from './Notices.module.css'

/** What the upload rules, the channel or the composer refused. */
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

/** Why, and of which file, where the notice knows: the texts of the behaviour spec, section 8, say neither. */
export function NoticeReason({ notice }: { readonly notice: Notice }) {
  const t = useTexts('notices')
  const errorText = useErrorText()
  const { reason, name } = notice.params ?? {}
  if (typeof reason !== 'string') return null
  const text = isRule(reason) ? t(`reasons.${reason}`) : errorText({ code: reason })
  // A reason that says no more than the notice itself.
  if (text === errorText(notice)) return null
  return (
    <p className={styles['reason']}>
      {typeof name === 'string' && name !== '' ? t('why', { name, reason: text }) : text}
    </p>
  )
}
