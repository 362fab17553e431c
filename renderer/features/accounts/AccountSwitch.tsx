import { useEffect } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useDelayed } from '../../lib/time/clocks.ts'
import { selectAccount, allFinished } from '../../store/accounts.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { accountSwitchFailed } from '../../store/window/ui.ts'
import { Spinner } from '../../ui/View/Empty.tsx'
import { showAccount } from './commands.ts'
import styles from './AccountSwitch.module.css'

/**
 * Shown in place of the account during a switch. By the time its effect runs, everything else has unmounted and saved its
 * drafts; once all of it is saved, sent and copied main is called, over the same connection, so that no text of one account can reach the other.
 */
export function AccountSwitch({ to }: { readonly to: string }) {
  const t = useTexts('accounts')
  const dispatch = useAppDispatch()
  const name = useAppSelector((state) => selectAccount(state, to)?.name ?? '')
  const slow = useDelayed(true, 150)
  useEffect(() => {
    let isCurrent = true
    const go = async (): Promise<void> => {
      await dispatch(allFinished())
      if (!isCurrent) return
      const shown = await dispatch(showAccount({ key: to }))
      if (!shown.ok) dispatch(accountSwitchFailed())
    }
    void go()
    return () => {
      isCurrent = false
    }
  }, [dispatch, to])
  return (
    <main className={styles['switching']} aria-busy="true" aria-label={t('goingTo', { name })}>
      {slow ? <Spinner size={22} /> : null}
    </main>
  )
}
