# resource "commented" "out" {}
terraform {
  required_version = ">= 1.5"
}

provider "aws" {
  region = var.region
}

variable "region" {
  type = string
}

data "aws_ami" "base" {
  owners = ["self"] # data "no" "no" {}
}

resource "aws_instance" "web" {
  ami = data.aws_ami.base.id
}

module "network" {
  source = "./modules/network"
}
module "remote" {
  source  = "terraform-aws-modules/vpc/aws"
}

locals {
  name = "shop"
}

output "address" {
  value = aws_instance.web.public_ip
}
