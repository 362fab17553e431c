import { useId } from 'react'
import type { Channel } from '#shared/domain/channel.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useChannel, useConnection } from '../../../store/hooks.ts'
import { dialogOpened, type ChannelQuestion } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { LevelChoice } from '../../notifications/index.ts'
import { changeChannel } from '../commands.ts'
import { PanelHead } from '../PanelHead.tsx'
import { useBackToDetails } from '../use-back.ts'
import { BansList } from './BansList.tsx'
import { NameForm } from './NameForm.tsx'
import { PictureField } from './PictureField.tsx'
import { Line, Rule } from './Rule.tsx'
import styles from '../Info.module.css'

/** Seconds between two messages of one person. See docs/wire.md 6.5, at most 120. */
const PAUSES = [0, 5, 10, 30, 60, 120] as const

/** What the channel is called and how one talks in it. What may not be changed here says why. */
export function SettingsPanel({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const headingId = useId()
  const back = useBackToDetails(cid)
  const channel = useChannel(cid)
  const { offline } = useConnection()
  if (channel === undefined) return <PanelHead id={headingId} title={t('rows.settings')} back={back} />
  const why = (capability: string): string | undefined =>
    offline ? t('why.offline') : may(channel, capability) ? undefined : t('why.permission')
  return (
    <>
      <PanelHead id={headingId} title={t('rows.settings')} back={back} />
      <div className={styles['body']}>
        <div className={`${styles['section']} ${styles['form']}`}>
          <NameForm key={cid} channel={channel} why={why('update-channel')} />
          <PictureField channel={channel} why={why('update-channel')} />
        </div>
        <div className={styles['section']}>
          <h3 className={styles['heading']}>{t('settings.notify')}</h3>
          <LevelChoice cid={cid} />
        </div>
        <Rules channel={channel} why={why} />
        <BansList cid={cid} why={why('ban-channel-members')} />
        <div className={`${styles['section']} ${styles['blocks']}`}>
          <Last cid={cid} what="clear" label={t('settings.clear')} why={why('update-channel')} />
          <Last cid={cid} what="delete" label={t('settings.delete')} why={why('delete-channel')} />
        </div>
      </div>
    </>
  )
}

type RulesProps = { readonly channel: Channel; readonly why: (capability: string) => string | undefined }

function Rules({ channel, why }: RulesProps) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const { cid, config } = channel
  const slowId = useId()
  const update = why('update-channel')
  const slow = why('set-channel-cooldown')
  return (
    <div className={styles['section']}>
      <Rule
        name={t('settings.typing')}
        hint={t('settings.typingHint')}
        on={config.typingEvents}
        why={update}
        onChange={(typingEvents) => void dispatch(changeChannel({ cid, typingEvents }))}
      />
      <Rule name={t('settings.read')} hint={t('settings.readHint')} on={config.readEvents} why={t('why.type')} />
      <Rule
        name={t('settings.locations')}
        hint={t('settings.locationsHint')}
        on={config.sharedLocations}
        why={update}
        onChange={(sharedLocations) => void dispatch(changeChannel({ cid, sharedLocations }))}
      />
      <Line id={slowId} name={t('settings.slow')} hint={t('settings.slowHint')} why={slow}>
        <span className={styles['select']}>
          <select
            aria-labelledby={slowId}
            aria-describedby={`${slowId}-hint`}
            disabled={slow !== undefined}
            value={channel.cooldown}
            onChange={(event) => void dispatch(changeChannel({ cid, cooldown: Number(event.currentTarget.value) }))}
          >
            {[...new Set([...PAUSES, channel.cooldown])]
              .toSorted((a, b) => a - b)
              .map((seconds) => (
                <option key={seconds} value={seconds}>
                  {seconds === 0 ? t('settings.slowOff') : t('settings.seconds', { count: seconds })}
                </option>
              ))}
          </select>
          <Icon name="chevron-down" size={14} />
        </span>
      </Line>
      <Rule
        name={t('settings.freeze')}
        hint={t('settings.freezeHint')}
        on={channel.frozen}
        why={why('freeze-channel')}
        onChange={(frozen) => void dispatch(changeChannel({ cid, frozen }))}
      />
    </div>
  )
}

type LastProps = {
  readonly cid: Cid
  readonly what: ChannelQuestion
  readonly label: string
  readonly why: string | undefined
}

function Last({ cid, what, label, why }: LastProps) {
  const dispatch = useAppDispatch()
  return (
    <Button
      block
      aria-disabled={why !== undefined}
      onClick={() => why === undefined && dispatch(dialogOpened({ kind: 'channel', what, cid }))}
    >
      <span className={why === undefined ? styles['danger'] : undefined}>{label}</span>
      {why === undefined ? null : <span className={styles['reason']}>{why}</span>}
    </Button>
  )
}
