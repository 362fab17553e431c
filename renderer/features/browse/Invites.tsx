import { useState } from 'react'
import type { ChannelInvite } from '#shared/domain/channel.ts'
import { useTexts } from '../../i18n/index.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { useInvites } from '../sidebar/index.ts'
import { answerInvite } from './commands.ts'
import styles from './Browse.module.css'

/** The viewer's pending invites to channels; nothing if there are none. */
export function Invites() {
  const t = useTexts('browse')
  const dispatch = useAppDispatch()
  const invites = useInvites()
  const [working, setWorking] = useState<string>()
  const respond = async ({ cid }: ChannelInvite, accept: boolean): Promise<void> => {
    setWorking(cid)
    const responded = await dispatch(answerInvite({ cid, accept }))
    setWorking(undefined)
    if (responded.ok && accept) dispatch(routeOpened({ view: 'channel', cid }))
  }
  if (invites.length === 0) return null
  return (
    <section className={styles['invites']} aria-label={t('invites.title')}>
      <h2>{t('invites.title')}</h2>
      <ul>
        {invites.map((invite) => (
          <li key={invite.cid} className={styles['invite']}>
            <Icon name="hash" size={18} />
            <span className={styles['text']}>
              <bdi className={styles['first']}>{cleanName(invite.name)}</bdi>
              <span className={styles['second']}>
                <span>{t('members', { count: invite.memberCount })}</span>
                {invite.topic === undefined ? null : <bdi className="ellipsis">{invite.topic}</bdi>}
              </span>
            </span>
            <Button
              size="small"
              variant="quiet"
              aria-label={t('invites.rejectOf', { name: invite.name })}
              onClick={() => void respond(invite, false)}
            >
              {t('invites.reject')}
            </Button>
            <Button
              size="small"
              variant="primary"
              working={working === invite.cid}
              aria-label={t('invites.acceptOf', { name: invite.name })}
              onClick={() => void respond(invite, true)}
            >
              {t('invites.accept')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
