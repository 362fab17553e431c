import { useId } from 'react'
import { PLACE_NAME_LENGTH } from '#shared/domain/place.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { PRECISIONS, REACH_M, SHARE_PRESETS_MS } from '#shared/rules/locations/locations.ts'
import { useErrorText, useFormats, useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { asSentence } from '../../lib/text/as-sentence.ts'
import { useMinute } from '../../lib/time/use-minute.ts'
import { useAppDispatch, useAppSelector, useChannel, useMe } from '../../store/hooks.ts'
import { JUST_SENT } from '../../store/command.ts'
import { dialogClosed } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog } from '../../ui/Dialog/Dialog.tsx'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { Segments } from '../../ui/Choice/Segments.tsx'
import { TextField } from '../../ui/Field/TextField.tsx'
import { channelTitle } from '../sidebar/index.ts'
import { Portrait } from '../people/index.ts'
import { SavedPlaces } from './SavedPlaces.tsx'
import { usePlaceForm, type Length, type PlaceForm, type TakenPlace } from './use-place-form.ts'
import { WorldMap } from './WorldMap.tsx'
import styles from './Location.module.css'

/** A place for a channel, once or live. What is chosen stays when sharing it fails. */
export function LocationDialog({ cid, from }: { readonly cid: Cid; readonly from?: TakenPlace | undefined }) {
  const t = useTexts('locations')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const it = usePlaceForm(cid, from)
  const close = (): void => void dispatch(dialogClosed())
  const submit = async (): Promise<void> => {
    if (!(await it.submit())) return
    announce(t(it.offline ? 'waits' : 'shared'))
    close()
  }
  return (
    <Dialog
      title={t('title')}
      onClose={close}
      onSubmit={() => void submit()}
      hint={
        it.failure === undefined ? (
          <Audience cid={cid} it={it} />
        ) : (
          <span className={styles['failure']} role="alert">
            {asSentence(errorText(it.failure))} {t('kept')}
          </span>
        )
      }
      actions={
        <>
          <Button onClick={close}>{t('cancel')}</Button>
          <Button variant="primary" type="submit" working={it.working} aria-disabled={!it.canShare}>
            {t(it.failure?.code === JUST_SENT ? 'again' : 'share')}
          </Button>
        </>
      }
    >
      <PickMap it={it} />
      <div className={styles['pair']}>
        <TextField
          label={t('latitude')}
          value={it.typed.latitude}
          autoComplete="off"
          onChange={(text) => it.type('latitude', text)}
          error={it.problems.latitude ? t('badLatitude') : undefined}
        />
        <TextField
          label={t('longitude')}
          value={it.typed.longitude}
          autoComplete="off"
          onChange={(text) => it.type('longitude', text)}
          error={it.problems.longitude ? t('badLongitude') : undefined}
        />
      </div>
      <Source it={it} />
      <SavedPlaces it={it} />
      <div className={styles['label']}>{t('precision')}</div>
      <Segments
        label={t('precision')}
        block
        value={it.precision}
        choices={PRECISIONS.map((value) => ({ value, label: t(`precisions.${value}`) }))}
        onChange={it.setPrecision}
      />
      <p className={styles['hint']}>{t(`precisionHints.${it.precision}`)}</p>
      <ShareFor it={it} />
    </Dialog>
  )
}

function Audience({ cid, it }: { readonly cid: Cid; readonly it: PlaceForm }) {
  const t = useTexts('locations')
  const channel = useChannel(cid)
  const place = useAppSelector((state) => channelTitle(state, cid))
  if (!it.chosen) return t('choose')
  if (it.offline) return t(it.forMs === undefined ? 'offline' : 'offlineLive')
  return t('audience', { place, count: channel?.memberCount ?? 0 })
}

function PickMap({ it }: { readonly it: PlaceForm }) {
  const t = useTexts('locations')
  const me = useMe()
  const id = useId()
  return (
    <>
      <div className={styles['pick']}>
        <WorldMap
          at={it.pin}
          span={it.span}
          ratio={476 / 212}
          accuracyM={Math.max(REACH_M[it.precision], it.accuracy ?? 0)}
          label={t('map')}
          describedBy={id}
          onMove={it.moveTo}
          onZoom={it.zoom}
        >
          {me === undefined ? null : <Portrait userId={me.id} size={36} />}
        </WorldMap>
        <div className={styles['tools']}>
          <IconButton icon="plus" label={t('closer')} onClick={() => it.zoom(1)} />
          <IconButton icon="minus" label={t('farther')} onClick={() => it.zoom(-1)} />
          <IconButton
            icon="navigation"
            label={t('locate')}
            aria-busy={it.asking || undefined}
            onClick={() => void it.locate()}
          />
        </div>
      </div>
      <p id={id} className={styles['hint']}>
        {t('mapHint')}
      </p>
    </>
  )
}

/** Where the place comes from, or why the computer did not tell. */
function Source({ it }: { readonly it: PlaceForm }) {
  const t = useTexts('locations')
  const { number } = useFormats()
  if (it.noPosition !== undefined) {
    return (
      <p className={styles['warning']} role="alert">
        {t(`noPosition.${it.noPosition}`)}
      </p>
    )
  }
  if (it.asking) return <output className={styles['hint']}>{t('asking')}</output>
  if (it.accuracy === undefined) return <p className={styles['hint']}>{t('typedHint')}</p>
  return <p className={styles['hint']}>{t('accuracy', { metres: number(Math.round(it.accuracy)) })}</p>
}

function ShareFor({ it }: { readonly it: PlaceForm }) {
  const t = useTexts('locations')
  const formats = useFormats()
  const now = useMinute()
  const { length: problem } = it.problems
  const choices: readonly { value: Length; label: string }[] = [
    { value: 'once', label: t('once') },
    ...SHARE_PRESETS_MS.map((ms) => ({ value: String(ms) as Length, label: lengthText(t, ms) })),
    { value: 'custom', label: t('custom') },
  ]
  return (
    <div className={styles['length']}>
      <div className={styles['label']}>{t('shareFor')}</div>
      <Segments label={t('shareFor')} block value={it.length} choices={choices} onChange={it.setLength} />
      {it.length === 'custom' ? (
        <div className={styles['minutes']}>
          <TextField
            label={t('minutes')}
            value={it.minutes}
            inputMode="decimal"
            onChange={it.setMinutes}
            error={problem === undefined ? undefined : t(`length.${problem}`)}
          />
        </div>
      ) : null}
      {it.forMs === undefined ? null : (
        <div className={styles['device']}>
          <TextField
            label={t('device')}
            optional={t('optional')}
            hint={t('deviceHint')}
            value={it.device}
            maxLength={PLACE_NAME_LENGTH}
            autoComplete="off"
            onChange={it.setDevice}
          />
        </div>
      )}
      <p className={styles['hint']}>
        {it.forMs === undefined
          ? t('onceHint')
          : problem === undefined
            ? t('liveHint', { time: formats.weekdayAndTime(now + it.forMs) })
            : t('shortest')}
      </p>
    </div>
  )
}

function lengthText(t: ReturnType<typeof useTexts<'locations'>>, ms: number): string {
  const minutes = ms / 60_000
  return minutes < 60 ? t('minutesShort', { count: minutes }) : t('hours', { count: minutes / 60 })
}
