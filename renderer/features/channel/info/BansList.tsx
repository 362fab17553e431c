import { useEffect, useId, useState } from 'react'
import type { Ban } from '#shared/domain/user.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { asUserId, type Cid } from '#shared/lib/brand.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useAppDispatch, useAppSelector, useUser } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Tag } from '../../../ui/Mark/Tag.tsx'
import { Portrait } from '../../people/index.ts'
import { unban, loadBans } from '../../people/profile/index.ts'
import { Refusal } from '../../../ui/Dialog/Dialog.tsx'
import styles from '../Info.module.css'

type Listed = { readonly bans: readonly Ban[]; readonly more: boolean }

/** Banned people with date and reason, and a button to unban. */
export function BansList({ cid, why }: { readonly cid: Cid; readonly why: string | undefined }) {
  const t = useTexts('details')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const headingId = useId()
  const [listed, setListed] = useState<Listed>()
  const [error, setError] = useState<ErrorBody>()
  // Reloads when a dialog over the panel closes, because it may have changed the bans.
  const dialogOpen = useAppSelector((state) => state.ui.dialog !== undefined)
  useEffect(() => {
    let live = true
    const load = async (): Promise<void> => {
      const loaded = await dispatch(loadBans({ cid }))
      if (!live) return
      if (loaded.ok) setListed(loaded.value)
      setError(loaded.ok ? undefined : loaded.error)
    }
    if (why === undefined && !dialogOpen) void load()
    return () => {
      live = false
    }
  }, [dispatch, cid, why, dialogOpen])
  return (
    <div className={styles['section']}>
      <h3 id={headingId} className={styles['heading']}>
        {t('bans.title')}
      </h3>
      {why === undefined ? (
        <>
          <Refusal text={error && errorText(error)} />
          {listed?.bans.length === 0 ? <p className={styles['note']}>{t('bans.none')}</p> : null}
          <ul aria-labelledby={headingId}>
            {(listed?.bans ?? []).map((ban) => (
              <BanRow
                key={ban.userId}
                cid={cid}
                ban={ban}
                onUnbanned={() => setListed((known) => known && without(known, ban))}
              />
            ))}
          </ul>
          {listed?.more === true ? (
            <p className={styles['note']}>{t('bans.newest', { count: listed.bans.length })}</p>
          ) : null}
        </>
      ) : (
        <p className={styles['note']}>
          {t('bans.who')} <span className={styles['why']}>{why}</span>
        </p>
      )}
    </div>
  )
}

const without = ({ bans, more }: Listed, { userId }: Ban): Listed => ({
  bans: bans.filter((one) => one.userId !== userId),
  more,
})

type RowProps = { readonly cid: Cid; readonly ban: Ban; readonly onUnbanned: () => void }

function BanRow({ cid, ban, onUnbanned }: RowProps) {
  const t = useTexts('details')
  const profile = useTexts('profile')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const name = cleanName(useUser(ban.userId)?.name ?? ban.userId)
  const by = useUser(ban.byId ?? asUserId(''))
  const date = formats.dayAndTime(ban.since)
  const unbanThem = async (): Promise<void> => {
    const unbanned = await dispatch(unban({ cid, userId: ban.userId }))
    if (!unbanned.ok) return
    announce(profile('unbanned', { name }))
    onUnbanned()
  }
  return (
    <li className={styles['setting']}>
      <Portrait userId={ban.userId} size={32} />
      <div className={styles['itemText']}>
        <div className={styles['first']}>
          <button
            type="button"
            className={styles['nameButton']}
            onClick={() => dispatch(dialogOpened({ kind: 'person', userId: ban.userId }))}
          >
            <bdi>{name}</bdi>
          </button>
          {ban.shadow ? <Tag tone="danger">{t('members.shadowBanned')}</Tag> : null}
        </div>
        <div className={styles['settingHint']}>
          {by === undefined ? t('bans.since', { date }) : t('bans.sinceBy', { date, name: cleanName(by.name) })}
        </div>
        <div className={styles['settingHint']}>
          {ban.until === undefined ? t('bans.forGood') : t('bans.until', { time: formats.dayAndTime(ban.until) })}
        </div>
        {ban.reason === undefined ? null : (
          <div className={styles['settingHint']} dir="auto">
            {ban.reason}
          </div>
        )}
      </div>
      <Button size="small" aria-label={t('bans.unbanOf', { name })} onClick={() => void unbanThem()}>
        {t('bans.unban')}
      </Button>
    </li>
  )
}
