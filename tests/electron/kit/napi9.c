/*
 * better-sqlite3 needs Node-API 10 for references to strings; the Electron of the tests has 9, where only objects can be
 * referenced. This addon takes the place of better-sqlite3's, boxes strings in objects, and loads the real one beside it
 * (`.10`), whose two calls were renamed from napi_ to napj_.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

typedef void *napi;
typedef struct {
  uint64_t lower, upper;
} tag;
enum { STRING = 4, OBJECT = 6 };

int napi_create_reference(napi env, napi value, uint32_t count, napi *result);
int napi_get_reference_value(napi env, napi reference, napi *result);
int napi_create_object(napi env, napi *result);
int napi_set_named_property(napi env, napi object, const char *name, napi value);
int napi_get_named_property(napi env, napi object, const char *name, napi *result);
int napi_type_tag_object(napi env, napi object, const tag *with);
int napi_check_object_type_tag(napi env, napi object, const tag *with, uint8_t *result);
int napi_typeof(napi env, napi value, int *result);

static const tag BOX = {0x7061726c6f72206eULL, 0x6170692039206278ULL};

int napj_create_reference(napi env, napi value, uint32_t count, napi *result) {
  int type, failed;
  napi box;
  if ((failed = napi_typeof(env, value, &type))) return failed;
  if (type != STRING) return napi_create_reference(env, value, count, result);
  if ((failed = napi_create_object(env, &box))) return failed;
  if ((failed = napi_set_named_property(env, box, "value", value))) return failed;
  if ((failed = napi_type_tag_object(env, box, &BOX))) return failed;
  return napi_create_reference(env, box, count, result);
}

int napj_get_reference_value(napi env, napi reference, napi *result) {
  int type, failed = napi_get_reference_value(env, reference, result);
  uint8_t boxed = 0;
  if (failed || !*result) return failed;
  if ((failed = napi_typeof(env, *result, &type)) || type != OBJECT) return failed;
  if ((failed = napi_check_object_type_tag(env, *result, &BOX, &boxed))) return failed;
  return boxed ? napi_get_named_property(env, *result, "value", result) : 0;
}

int32_t node_api_module_get_api_version_v1(void) { return 9; }

/* The real addon finds the two functions above only if they are visible to every library. */
napi napi_register_module_v1(napi env, napi exports) {
  Dl_info self;
  char path[4096];
  void *addon = 0;
  if (dladdr((void *)napi_register_module_v1, &self) && dlopen(self.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD)) {
    snprintf(path, sizeof path, "%s.10", self.dli_fname);
    addon = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  }
  napi (*init)(napi, napi) = addon ? (napi(*)(napi, napi))dlsym(addon, "napi_register_module_v1") : 0;
  if (init) return init(env, exports);
  fprintf(stderr, "napi9: %s\n", dlerror());
  return 0;
}
