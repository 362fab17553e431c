import type { AccountEntry } from '#shared/domain/account-list.ts'
import { useTexts } from '../../i18n/index.ts'

/** "Cairn Maps, Ola Wiśniewska, 2 mentions, muted": the full label of an account. */
export function useAccountLabel({ name, userName, guest, mentions, unread, muted, line }: AccountEntry): string {
  const t = useTexts('accounts')
  return [
    name,
    guest ? t('guest') : userName,
    line === 'sign-in' || line === 'offline' ? t(`line.${line}`) : '',
    mentions > 0 ? t('mentions', { count: mentions }) : '',
    unread > 0 && mentions === 0 ? t('unread', { count: unread }) : '',
    muted ? t('muted') : '',
  ]
    .filter((part) => part !== '')
    .join(', ')
}
