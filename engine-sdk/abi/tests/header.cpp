// The header must be C++ too.
#include "tengen.h"

int main() { return TENGEN_OK; }
