import { getApp, hi } from '#shared/wire/app.ts'
import { route, type Route } from '../http/router.ts'

export const appRoutes: readonly Route[] = [
  { ...route(hi, {}, () => ({})), open: true },
  route(getApp, {}, (_ask, work) => ({
    app: {
      name: 'Parlor',
      image_upload_config: work.uploadConfig,
      file_upload_config: work.uploadConfig,
      async_url_enrich_enabled: false,
      auto_translation_enabled: false,
    },
  })),
]
