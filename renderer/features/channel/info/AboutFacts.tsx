import { useEffect, useId, useState } from 'react'
import type { Channel } from '#shared/domain/channel.ts'
import type { ChannelAbout } from '#shared/domain/channel-details.ts'
import type { Cid, UserId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useSession, useUser } from '../../../store/hooks.ts'
import { useNames } from '../../people/index.ts'
import { loadHere } from '../commands.ts'
import styles from '../Info.module.css'

type Props = { readonly channel: Channel; readonly about: ChannelAbout | undefined }

/** Creation, id and visibility of the channel, and which activity it records. */
export function AboutFacts({ channel, about }: Props) {
  const t = useTexts('details')
  const formats = useFormats()
  const id = useId()
  const now = useMinute()
  const creator = useUser(about?.createdBy)
  const workspace = useSession().workspace?.name ?? ''
  const isDirect = channel.directUserIds.length > 0
  const { config } = channel
  const created = about?.createdAt === undefined ? undefined : formats.date(about.createdAt, now)
  const muteEnd = channel.mutedUntil
  const recorded = (on: boolean): string => (on ? t('recorded.on') : t('recorded.off'))
  return (
    <>
      <section className={styles['section']} aria-labelledby={id}>
        <h3 id={id} className={styles['heading']}>
          {t('about.title')}
        </h3>
        <dl className={styles['facts']}>
          {created === undefined ? null : (
            <>
              <dt>{t('about.created')}</dt>
              <dd>
                {creator === undefined
                  ? created
                  : t('about.createdBy', { date: created, name: cleanName(creator.name) })}
              </dd>
            </>
          )}
          <dt>{t('about.id')}</dt>
          <dd>
            <code>{channel.cid}</code>
          </dd>
          <dt>{t('about.visibility')}</dt>
          <dd>
            {isDirect || channel.isPrivate || channel.type === 'messaging'
              ? t('about.members')
              : t('about.everyone', { workspace })}
          </dd>
          {channel.watcherCount > 0 ? (
            <>
              <dt>{t('about.here')}</dt>
              <dd>
                <Watchers cid={channel.cid} count={channel.watcherCount} />
              </dd>
            </>
          ) : null}
        </dl>
        {channel.muted ? (
          <p className={styles['settingHint']}>
            {muteEnd === undefined
              ? t('about.mutedForGood')
              : t('about.mutedUntil', { time: formats.listTime(muteEnd, now) })}
          </p>
        ) : null}
        {channel.frozen ? <p className={styles['settingHint']}>{t('about.frozen')}</p> : null}
      </section>
      <section className={styles['section']} aria-labelledby={`${id}-recorded`}>
        <h3 id={`${id}-recorded`} className={styles['heading']}>
          {t('recorded.title')}
        </h3>
        <dl className={styles['facts']}>
          <dt>{t('recorded.read')}</dt>
          <dd>{recorded(config.readEvents)}</dd>
          <dt>{t('recorded.typing')}</dt>
          <dd>{recorded(config.typingEvents)}</dd>
          <dt>{t('recorded.delivery')}</dt>
          <dd>{recorded(config.deliveryEvents === true)}</dd>
          <dt>{t('recorded.locations')}</dt>
          <dd>{recorded(config.sharedLocations)}</dd>
        </dl>
      </section>
    </>
  )
}

const NO_WATCHERS = { userIds: [], of: 0 }

/** Who has the channel open, reloaded when the count changes. Without a connection only the count. */
function Watchers({ cid, count }: { readonly cid: Cid; readonly count: number }) {
  const t = useTexts('details')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const [watchers, setWatchers] = useState<{ readonly userIds: readonly UserId[]; readonly of: number }>(NO_WATCHERS)
  const names = useNames(watchers.userIds)
  useEffect(() => {
    let live = true
    const load = async (): Promise<void> => {
      const loaded = await dispatch(loadHere({ cid }))
      if (live && loaded.ok) setWatchers({ userIds: loaded.value, of: count })
    }
    void load()
    return () => {
      live = false
    }
  }, [dispatch, cid, count])
  if (names.length === 0) return formats.number(count)
  const more = watchers.of - names.length
  return <bdi>{formats.list(more > 0 ? [...names, t('about.others', { count: more })] : names)}</bdi>
}
