# Enables C++, or stops with what to install. CMake's own message for a compiler that is missing
# names no package, and an old one ends in errors of our headers.
include(CheckLanguage)
set(how_to_install "
  Debian, Ubuntu  apt install g++ python3-dev
  Fedora          dnf install gcc-c++ python3-devel
  macOS           xcode-select --install
  Windows         winget install Microsoft.VisualStudio.2022.BuildTools --override \"--add Microsoft.VisualStudio.Workload.VCTools\"
 CXX names another than the default one, for example: CXX=g++-12
")

check_language(CXX)
if(NOT CMAKE_CXX_COMPILER)
  set(named "")
  foreach(variable CXX CXXFLAGS LDFLAGS)
    if(NOT "$ENV{${variable}}" STREQUAL "")
      list(APPEND named "${variable} is $ENV{${variable}}")
    endif()
  endforeach()
  if(named)
    list(JOIN named ", " named)
    set(named " (${named})")
  endif()
  unset(CMAKE_CXX_COMPILER CACHE) # look again next time
  message(FATAL_ERROR " roclab needs a C++20 compiler, and none that works was found${named}. To install one:${how_to_install}")
endif()
enable_language(CXX)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
if(CMAKE_CXX20_STANDARD_COMPILE_OPTION OR MSVC)
  try_compile(roclab_cxx20 "${CMAKE_CURRENT_BINARY_DIR}/compiler" SOURCES "${CMAKE_CURRENT_LIST_DIR}/compiler.cpp" CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON
    OUTPUT_VARIABLE said)
endif()
if(NOT roclab_cxx20)
  unset(CMAKE_CXX_COMPILER CACHE) # and what CMake has noted of it, or it would not look at CXX next time
  file(REMOVE "${CMAKE_PLATFORM_INFO_DIR}/CMakeCXXCompiler.cmake")
  string(REGEX MATCH "[^\n]*error[^\n]*" said "${said}")
  if(said)
    set(said " It says:\n  ${said}\n")
  endif()
  message(FATAL_ERROR " roclab needs C++20, which GCC has from 11, Clang from 14 and Visual Studio from 2022, and ${CMAKE_CXX_COMPILER} "
    "(${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}) does not compile it.${said} To install a newer one:${how_to_install}")
endif()
