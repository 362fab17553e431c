import { useState } from 'react'
import type { NotifyProof } from '#shared/domain/notification.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { proveNotifications } from '../commands.ts'
import { SettingRow } from '../controls/SettingRow.tsx'

/** Sends a test notification and shows where it was suppressed, if it was. */
export function Proof() {
  const t = useTexts('notifications')
  const dispatch = useAppDispatch()
  const [isAsking, setIsAsking] = useState(false)
  const [proof, setProof] = useState<NotifyProof>()
  const permission = useBrowserPermission()
  const prove = async (): Promise<void> => {
    setIsAsking(true)
    setProof(undefined)
    await permission.ask()
    const answer = await dispatch(proveNotifications())
    setIsAsking(false)
    if (answer.ok) setProof(answer.value)
  }
  return (
    <SettingRow
      title={t('page.proof')}
      hint={
        <span role="status">
          {proof === undefined
            ? t('page.proofHint')
            : t(`page.outcomes.${permission.refused ? 'blocked' : proof.outcome}`)}
          {proof === undefined || proof.quiet === 'nothing' ? null : <> {t(`page.quietNow.${proof.quiet}`)}</>}
        </span>
      }
    >
      <Button disabled={isAsking} onClick={() => void prove()}>
        {t('page.prove')}
      </Button>
    </SettingRow>
  )
}

/** In a browser, notifications need permission, which can be requested only after a click. */
function useBrowserPermission(): { readonly refused: boolean; readonly ask: () => Promise<void> } {
  const [refused, setRefused] = useState(false)
  return {
    refused,
    async ask() {
      if (!('Notification' in window)) return
      const answer =
        Notification.permission === 'default' ? await Notification.requestPermission() : Notification.permission
      setRefused(answer === 'denied')
    },
  }
}
