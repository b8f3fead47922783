# A JDK for Spark, where there is none and the packages of Debian can be installed.
# Otherwise the tests that need it are skipped, and say so.
if [ -n "${JAVA_HOME:-}" ] || command -v java >/dev/null; then exit 0; fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq >/dev/null || true
  for version in 17 21 25; do
    apt-get install -y -qq --no-install-recommends openjdk-$version-jre-headless >/dev/null 2>&1 && exit 0
  done
fi
echo "There is no Java, and it cannot be installed here: tests on Spark will be skipped." >&2
